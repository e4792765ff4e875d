package main

import (
	"fmt"

	"github.com/anishathalye/porcupine"
)

// counterInput is one addition to a counter, or one read of it.
type counterInput struct {
	op  string
	by  int64
	sum *int64
	// place numbers the additions of 1 without a reply, by the time of their calls, from 1 on; 0 for all others.
	place int
	shown string
}

// counterState is the sum, and the number of additions of 1 without a reply that are in it.
type counterState struct {
	sum   int64
	units int
}

// Additions of 1 without a reply have no end, so any two of them can be exchanged if the one that was called first
// comes first. One order of them is enough: without this rule, n of them are 2^n sets to try.
var counterModel = porcupine.Model{
	Init: func() any { return counterState{} },
	Step: func(state, input, output any) (bool, any) {
		at, in := state.(counterState), input.(counterInput)
		if in.op == "read" {
			return at.sum == *in.sum, at
		}
		if in.place > 0 {
			if in.place != at.units+1 {
				return false, at
			}
			at.units++
		}
		at.sum += in.by
		return in.sum == nil || *in.sum == at.sum, at
	},
	DescribeOperation: func(input, output any) string { return input.(counterInput).shown },
	DescribeState:     func(state any) string { return fmt.Sprint(state.(counterState).sum) },
}

// counterOperations turns the calls on a counter into operations for the model. Additions without a reply that
// cannot be in any sum may come after everything else.
func counterOperations(calls []Line) []porcupine.Operation {
	var operations []porcupine.Operation
	units := 0
	for _, call := range calls {
		if call.Outcome == "failed" || (call.Outcome == "unknown" && call.Op == "read") {
			continue
		}
		in := counterInput{op: call.Op, by: call.By, sum: call.Sum}
		operation := porcupine.Operation{ClientId: call.Task, Call: call.Call, Return: call.Return}
		if call.Op == "read" && in.sum == nil {
			in.sum = new(int64)
		}
		switch {
		case call.Op == "read":
			in.shown = fmt.Sprintf("read -> %d", *in.sum)
		case call.Outcome == "unknown":
			operation.Return = forever
			in.sum = nil
			if call.By == 1 {
				units++
				in.place = units
			}
			in.shown = fmt.Sprintf("add %d (no answer)", call.By)
		case in.sum == nil:
			in.shown = fmt.Sprintf("add %d (sum not known)", call.By)
		default:
			in.shown = fmt.Sprintf("add %d -> %d", call.By, *in.sum)
		}
		operation.Input = in
		operations = append(operations, operation)
	}
	return operations
}
