package main

import (
	"fmt"
	"sort"
	"strings"
	"time"

	"github.com/anishathalye/porcupine"
)

// around is the number of operations that are shown before the one that cannot be explained.
const around = 14

// explain finds the first return that makes an illegal history illegal, shows what came before it, and draws it.
func explain(h *History, row string, model porcupine.Model, operations []porcupine.Operation, limit time.Duration) string {
	returns := make([]int64, 0, len(operations))
	for _, operation := range operations {
		if operation.Return != forever {
			returns = append(returns, operation.Return)
		}
	}
	sort.Slice(returns, func(i, j int) bool { return returns[i] < returns[j] })
	illegal := func(i int) bool {
		return porcupine.CheckOperationsTimeout(model, until(operations, returns[i]), limit) != porcupine.Ok
	}
	// Every illegal history has a legal prefix up to some return, and is illegal from there on.
	first := sort.Search(len(returns)-1, illegal)
	piece := until(operations, returns[first])
	sort.SliceStable(piece, func(i, j int) bool { return piece[i].Call < piece[j].Call })
	var out strings.Builder
	if len(piece) > around {
		fmt.Fprintf(&out, "  %d operations before these can be ordered\n", len(piece)-around)
	}
	for _, operation := range piece[max(0, len(piece)-around):] {
		mark := " "
		if operation.Return == returns[first] {
			mark = "!"
		}
		end := "no end"
		if operation.Return != forever {
			end = fmt.Sprintf("%.3f ms", float64(operation.Return)/1e6)
		}
		shown := model.DescribeOperation(operation.Input, operation.Output)
		fmt.Fprintf(&out, "%s %12.3f .. %-14s task %2d  %s\n", mark, float64(operation.Call)/1e6, end, operation.ClientId, shown)
	}
	if !h.Drawn {
		return out.String()
	}
	_, info := porcupine.CheckOperationsVerbose(model, piece, limit)
	page := strings.TrimSuffix(h.Path, ".jsonl") + "-" + row + ".html"
	if err := porcupine.VisualizePath(model, info, page); err != nil {
		fmt.Fprintf(&out, "  no drawing: %v", err)
	} else {
		fmt.Fprintf(&out, "  drawn in %s", page)
	}
	return out.String()
}

// until is the history as it was known at a time: calls that had not returned have no end and no result.
func until(operations []porcupine.Operation, at int64) []porcupine.Operation {
	var newest int64
	for _, operation := range operations {
		if in, register := operation.Input.(registerInput); register && operation.Return <= at {
			newest = max(newest, in.at)
		}
	}
	var known []porcupine.Operation
	for _, operation := range operations {
		if operation.Call > at {
			continue
		}
		if operation.Return > at {
			operation.Return = forever
			switch in := operation.Input.(type) {
			case registerInput:
				if in.op == "get" {
					continue
				}
				// A write with an earlier time than one that has returned was known to the server by then.
				if in.at == 0 || in.at > newest {
					in.at = 0
					if in.op == "check" {
						in.op = "check?"
					}
				}
				operation.Input = in
			case counterInput:
				if in.op == "read" {
					continue
				}
				in.sum = nil
				operation.Input = in
			}
		}
		known = append(known, operation)
	}
	countEarlier(known)
	return known
}
