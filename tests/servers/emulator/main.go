// Google's emulator of Bigtable, on a free port of 127.0.0.1, with a ready line as tallrow-mock's.
//
// A call of a method that the emulator does not have ends its process by a panic; here, it is answered with
// UNIMPLEMENTED.
package main

import (
	"context"
	"fmt"
	"os"
	"os/signal"
	"syscall"

	"cloud.google.com/go/bigtable/bttest"
	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
)

// The size of messages as in Google's own program of the emulator.
const messageBytes = 256 << 20

// recovered turns the panic of a method into its error.
func recovered(method string, err *error) {
	if found := recover(); found != nil {
		fmt.Fprintf(os.Stderr, "emulator: %s: panic: %v\n", method, found)
		*err = status.Errorf(codes.Unimplemented, "the emulator has no %s: %v", method, found)
	}
}

func unary(ctx context.Context, request any, info *grpc.UnaryServerInfo, next grpc.UnaryHandler) (_ any, err error) {
	defer recovered(info.FullMethod, &err)
	return next(ctx, request)
}

func stream(server any, of grpc.ServerStream, info *grpc.StreamServerInfo, next grpc.StreamHandler) (err error) {
	defer recovered(info.FullMethod, &err)
	return next(server, of)
}

func main() {
	server, err := bttest.NewServer("127.0.0.1:0", grpc.MaxRecvMsgSize(messageBytes), grpc.MaxSendMsgSize(messageBytes),
		grpc.UnaryInterceptor(unary), grpc.StreamInterceptor(stream))
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
