//! The Bigtable backend: connections, retries, messages.
