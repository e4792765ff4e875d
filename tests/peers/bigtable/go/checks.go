// Steps and what they expect.
package main

import (
	"context"
	"fmt"
	"os"
	"reflect"
	"strings"
	"time"

	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
)

// checks counts the steps of a run.
type checks struct {
	ctx            context.Context
	group          string
	passed, failed int
	// differs has the steps that this server is known to fail.
	differs map[string]bool
	found   map[string]bool
}

// step runs one step; a panic or an error is a failure.
func (c *checks) step(name string, run func(ctx context.Context) error) {
	full := c.group + ": " + name
	ctx, cancel := context.WithTimeout(c.ctx, 30*time.Second)
	defer cancel()
	err := run(ctx)
	switch {
	case err == nil && !c.differs[full]:
		c.passed++
	case err == nil:
		c.failed++
		fmt.Printf("FAIL %s: expected to differ on this server, but it does not\n", full)
	case c.differs[full]:
		c.found[full] = true
		c.passed++
		fmt.Printf("differs %s: %v\n", full, err)
	default:
		c.failed++
		fmt.Printf("FAIL %s: %v\n", full, err)
	}
}

// end prints the totals, and exits with 1 if a step has failed.
func (c *checks) end() {
	fmt.Printf("go: %d passed, %d failed\n", c.passed, c.failed)
	if c.failed > 0 {
		os.Exit(1)
	}
}

// must ends the run: nothing after it could work.
func must(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, "interop:", err)
		os.Exit(2)
	}
}

// equal is nil if two values are the same.
func equal(got, expected any) error {
	if reflect.DeepEqual(got, expected) {
		return nil
	}
	return fmt.Errorf("expected %v; got %v", short(expected), short(got))
}

func short(value any) string {
	text := fmt.Sprintf("%v", value)
	if len(text) > 400 {
		return text[:400] + "..."
	}
	return text
}

// fails is nil if an error has this code and its text has this part.
func fails(err error, code codes.Code, part string) error {
	if err == nil {
		return fmt.Errorf("expected %v; got no error", code)
	}
	if got := status.Code(err); got != code {
		return fmt.Errorf("expected %v; got %v: %v", code, got, err)
	}
	if !strings.Contains(err.Error(), part) {
		return fmt.Errorf("expected the text %q; got %v", part, err)
	}
	return nil
}
