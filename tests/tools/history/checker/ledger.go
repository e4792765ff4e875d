package main

import "fmt"

// ledger compares the outcome of each write with how often it was applied, by the versions in the log: once if it was
// acknowledged, more often only if it is delivered at least once, at most once without a reply, never if it failed.
func ledger(h *History) []string {
	if !h.Versions {
		return nil
	}
	var wrong []string
	for _, row := range h.rowNames() {
		for _, call := range h.Rows[row] {
			switch call.Op {
			case "put", "delete", "check":
			default:
				continue
			}
			at := h.AppliedAt[call.ID]
			atLeast, atMost := 1, 1
			if h.Delivery == "at_least_once" && call.Op != "check" {
				atMost = len(at)
			}
			switch {
			case call.Outcome == "failed" || (call.Op == "check" && call.Applied != nil && !*call.Applied):
				atLeast, atMost = 0, 0
			case call.Outcome == "unknown":
				atLeast = 0
			}
			if len(at) < atLeast || len(at) > atMost {
				wrong = append(wrong, fmt.Sprintf("row %s: applied %d times, at %v: %v", row, len(at), at, call))
			}
		}
	}
	return wrong
}

// sequences checks ids drawn from counters: no value is returned twice, and at the end it is at least the number of
// acknowledged increments, and at most those plus the ones without a reply.
func sequences(h *History) []string {
	var wrong []string
	for _, row := range h.rowNames() {
		if !isCounter(h.Rows[row]) {
			continue
		}
		drawn := map[int64]Line{}
		var known, unknown int64
		var last *Line
		for i, call := range h.Rows[row] {
			switch {
			case call.Op == "read" && call.Outcome == "ok":
				last = &h.Rows[row][i]
			case call.Op != "add" || call.Outcome == "failed":
			case call.Outcome == "unknown":
				unknown += call.By
			default:
				known += call.By
				if call.Sum == nil {
					break
				}
				if first, twice := drawn[*call.Sum]; twice {
					wrong = append(wrong, fmt.Sprintf("row %s: %d was returned twice:\n  %v\n  %v", row, *call.Sum, first, call))
				}
				drawn[*call.Sum] = call
			}
		}
		// The last read is the last call only in a run that has finished.
		calls := h.Rows[row]
		if last == nil || last.ID != calls[len(calls)-1].ID {
			continue
		}
		var sum int64
		if last.Sum != nil {
			sum = *last.Sum
		}
		if sum < known || sum > known+unknown {
			wrong = append(wrong, fmt.Sprintf("row %s: %d in the end, but %d were acknowledged and %d have no answer", row, sum, known, unknown))
		}
	}
	return wrong
}
