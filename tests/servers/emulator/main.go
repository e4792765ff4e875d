// Google's emulator of Bigtable, on a free port of 127.0.0.1, with a ready line as tallrow-mock's.
package main

import (
	"fmt"
	"os"
	"os/signal"
	"syscall"

	"cloud.google.com/go/bigtable/bttest"
)

func main() {
	server, err := bttest.NewServer("127.0.0.1:0")
	if err != nil {
		fmt.Fprintln(os.Stderr, "emulator:", err)
		os.Exit(1)
	}
	fmt.Printf("{\"ready\":true,\"bigtable\":%q}\n", server.Addr)
	stop := make(chan os.Signal, 1)
	signal.Notify(stop, syscall.SIGTERM, os.Interrupt)
	<-stop
	server.Close()
}
