tallrow_examples::print_what_their_heads_show! {
    access_logs: "../../rows/access_logs.rs",
    books: "../../rows/books.rs",
    keys: "../../keys/main.rs",
    metrics: "../../rows/metrics.rs",
    user_events: "../../rows/user_events.rs",
}
