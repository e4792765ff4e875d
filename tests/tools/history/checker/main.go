// The checker decides whether histories of a client of HBase are linearizable, row by row.
package main

import (
	"flag"
	"fmt"
	"os"
	"strings"
	"time"
)

func main() {
	folder := flag.String("controls", "", "check the histories in this folder first: legal/ and illegal/")
	limit := flag.Duration("limit", 100*time.Second, "how long one row may take; one that takes longer is a failure")
	repeated := flag.Bool("must-repeat", false, "fail if no history delivered at least once shows a repeated write")
	show := flag.Int("show", 2, "how many reasons of each kind are shown for an illegal history")
	remove := flag.Bool("delete-legal", false, "delete the logs of legal histories")
	flag.Usage = func() {
		fmt.Fprintln(os.Stderr, "usage: checker [flags] LOG.jsonl ..")
		flag.PrintDefaults()
	}
	flag.Parse()
	if *folder != "" {
		if err := controls(*folder, *limit); err != nil {
			fmt.Println(err)
			os.Exit(1)
		}
	}
	illegal, shown := 0, 0
	for _, path := range flag.Args() {
		started := time.Now()
		h, err := readHistory(path)
		if err != nil {
			fmt.Println(err)
			os.Exit(2)
		}
		h.Drawn = true
		found := judge(h, *limit)
		answer := "linearizable"
		if h.Delivery == "at_least_once" {
			answer = "linearizable, also without repeated writes"
		}
		if found.repeated {
			answer = "linearizable, if writes may be applied again"
			shown++
		}
		if found.reasons() > 0 {
			illegal++
			answer = fmt.Sprintf("ILLEGAL, for %d reasons, see %s", found.reasons(), path)
		} else if *remove {
			if err := os.Remove(path); err != nil {
				fmt.Println(err)
				os.Exit(2)
			}
		}
		fmt.Printf("%s, %s: %d calls on %d rows, %d ordered in %.1f s: %s\n", h.Run, h.Delivery, h.Calls,
			len(h.Rows), found.operations, time.Since(started).Seconds(), answer)
		// A run with one error usually has many.
		for _, wrong := range found.wrong {
			for _, reason := range wrong[:min(*show, len(wrong))] {
				fmt.Println("  " + strings.ReplaceAll(reason, "\n", "\n  "))
			}
		}
	}
	switch {
	case illegal > 0:
		fmt.Printf("%d of %d histories are illegal\n", illegal, flag.NArg())
		os.Exit(1)
	case *repeated && shown == 0:
		fmt.Println("no history shows a write applied again between others; the faults are too weak to show the difference")
		os.Exit(1)
	}
}
