package main

import (
	"fmt"
	"slices"

	"github.com/anishathalye/porcupine"
)

// registerInput is one effect on a register, or one read of it. The empty value is that of an absent cell.
type registerInput struct {
	op      string
	value   string
	expect  string
	applied bool
	// masked: HBase hides a put whose timestamp is that of a delete marker, even if the put came later. A put applied
	// in the same millisecond as a delete of its row may therefore leave an absent cell absent.
	masked bool
	// optional: it may have had no effect.
	optional bool
	// at is the server's time of this effect, if effects are ordered by it; otherwise 0.
	at int64
	// earlier is the number of effects with an earlier time.
	earlier int
	shown   string
}

// registerState is a value, and the number of effects with a time so far.
type registerState struct {
	value string
	made  int
}

var registerModel = (&porcupine.NondeterministicModel{
	Init: func() []any { return []any{registerState{}} },
	Step: func(state, input, output any) []any {
		was, in := state.(registerState), input.(registerInput)
		same := []any{was}
		switch {
		case in.op == "get" && was.value == in.value:
			return same
		case in.op == "get":
			return nil
		case in.op == "check" && (was.value == in.expect) != in.applied:
			return nil
		case in.op == "check" && !in.applied, in.op == "check?" && was.value != in.expect:
			return same
		case in.at != 0 && was.made < in.earlier:
			return nil
		}
		made := was.made
		if in.at != 0 {
			made++
		}
		next := []any{registerState{in.value, made}}
		if in.masked && was.value == "" {
			next = append(next, registerState{"", made})
		}
		if in.optional {
			next = append(next, registerState{was.value, made})
		}
		return next
	},
	DescribeOperation: func(input, output any) string { return input.(registerInput).shown },
	DescribeState: func(state any) string {
		if value := state.(registerState).value; value != "" {
			return value
		}
		return "nothing"
	},
}).ToModel()

// rules are the conditions for a legal history of a register.
type rules struct {
	// repeats: a write that was applied several times has several effects.
	repeats bool
	// byTime: writes are ordered by the server's timestamps. A server orders the writes of a row in this way, and
	// it makes the search short. It is not guaranteed, so a history without such an order may still be legal.
	byTime bool
	// likely: a call that was shorter than a retry was applied once, unless its versions show otherwise. Fewer
	// repetitions make fewer histories legal, and the search much shorter.
	likely bool
}

// retryNs is less than a client takes to send a call again: it has to detect the lost reply, and to connect.
const retryNs = 250_000

// registerOperations turns the calls on a register into operations for the model.
//
// The versions of a log show how often each write was applied. One without a reply that was never
// applied is left out; one that was applied is an operation without an end.
func registerOperations(h *History, calls []Line, by rules) []porcupine.Operation {
	shared := sharedTimestamps(h, calls)
	var operations []porcupine.Operation
	for _, call := range calls {
		applied := h.AppliedAt[call.ID]
		input, wanted := registerCall(h, calls, call)
		if !wanted {
			continue
		}
		// A client that chooses the timestamps chooses a later one after a delete.
		input.masked = input.value != "" && h.Delivery != "idempotent" && shared.withDelete[call.ID]
		input.shown = call.show()
		if by.byTime && len(applied) > 0 && input.op != "check?" {
			input.at = applied[0]
		}
		operation := porcupine.Operation{ClientId: call.Task, Input: input, Call: call.Call, Return: call.Return}
		if call.Outcome == "unknown" {
			operation.Return = forever
		}
		operations = append(operations, operation)
		if !by.repeats || (call.Op != "put" && call.Op != "delete") {
			continue
		}
		input.op, input.shown = "again", "again: "+call.show()
		again := operation
		if call.Outcome == "ok" {
			again.Return = call.Return + h.LateNs
		}
		for _, at := range applied[min(1, len(applied)):] {
			if by.byTime {
				input.at = at
			}
			again.Input = input
			operations = append(operations, again)
		}
		// Two applications within one millisecond leave one version. It matters only if another write comes between them.
		once := by.likely && call.Outcome == "ok" && call.Return-call.Call < retryNs
		for _, at := range applied {
			if once || !shared.withWrite[at] {
				continue
			}
			input.optional, input.shown = true, "perhaps again: "+call.show()
			if by.byTime {
				input.at = at
			}
			again.Input = input
			if call.Outcome == "ok" {
				again.Return = max(again.Return, call.Return+1e6)
			}
			operations = append(operations, again)
		}
	}
	countEarlier(operations)
	return operations
}

// countEarlier counts the effects before each one by the server's time.
func countEarlier(operations []porcupine.Operation) {
	var times []int64
	for _, operation := range operations {
		if in, register := operation.Input.(registerInput); register && in.at != 0 {
			times = append(times, in.at)
		}
	}
	slices.Sort(times)
	for i, operation := range operations {
		if in, register := operation.Input.(registerInput); register {
			in.earlier, _ = slices.BinarySearch(times, in.at)
			operations[i].Input = in
		}
	}
}

// registerCall is the operation of a call in the model; false if it cannot have had a visible effect.
func registerCall(h *History, calls []Line, call Line) (registerInput, bool) {
	in := registerInput{op: call.Op, value: text(call.Value), expect: text(call.Expect)}
	switch call.Outcome {
	case "failed":
		return in, false
	case "ok":
		in.applied = call.Applied != nil && *call.Applied
		return in, true
	}
	if !call.changes() {
		return in, false
	}
	if h.Versions && h.Delivery == "idempotent" && call.Op == "check" {
		// Its timestamp is that of its call, and it may have been applied later, when its condition held because of a write with
		// a later timestamp, which then hid its change. So its version shows neither when it held nor that it was visible.
		in.op, in.optional = "check?", true
		return in, len(h.AppliedAt[call.ID]) > 0
	}
	if h.Versions {
		// It was applied and its condition held, or it was not and changed nothing. Applied late with the timestamp of its call,
		// it may have been hidden by a later timestamp from the start, which has the same effect as if it had not been applied.
		in.applied, in.optional = true, h.Delivery == "idempotent"
		return in, len(h.AppliedAt[call.ID]) > 0
	}
	if call.Op == "check" {
		in.op = "check?"
	}
	return in, !neverSeen(calls, call)
}

// neverSeen reports whether a write without a reply can be left out because no order of the others needs it.
//
// No call has read its value, and values are unique. So in an order with it, each read follows another write that came
// later, and the order without it is legal too; except for checks that found another value than they expected, as this
// write may have been that value, and for reads of an absent cell, if it deletes.
func neverSeen(calls []Line, write Line) bool {
	if write.Value == nil {
		return false
	}
	for _, call := range calls {
		switch {
		case call.Op == "get" && call.Outcome == "ok" && text(call.Value) == *write.Value:
			return false
		case call.Op == "check" && call.ID != write.ID && text(call.Expect) == *write.Value:
			return false
		case call.Op == "check" && call.Outcome == "ok" && !*call.Applied && call.Return >= write.Call:
			return false
		}
	}
	return true
}

type timestamps struct {
	// withDelete has the calls that were applied in the same millisecond as a delete of their row.
	withDelete map[int64]bool
	// withWrite has the times at which several writes were applied.
	withWrite map[int64]bool
}

func sharedTimestamps(h *History, calls []Line) timestamps {
	writers, deleters := map[int64][]int64{}, map[int64]bool{}
	for _, call := range calls {
		for _, at := range h.AppliedAt[call.ID] {
			writers[at] = append(writers[at], call.ID)
			deleters[at] = deleters[at] || call.Value == nil
		}
	}
	shared := timestamps{map[int64]bool{}, map[int64]bool{}}
	for at, ids := range writers {
		shared.withWrite[at] = len(ids) > 1
		for _, id := range ids {
			shared.withDelete[id] = shared.withDelete[id] || deleters[at]
		}
	}
	return shared
}

func (l Line) show() string {
	switch l.Op {
	case "get":
		return fmt.Sprintf("get -> %s", or(l.Value, "nothing"))
	case "put":
		return fmt.Sprintf("put %s%s", *l.Value, l.unless())
	case "delete":
		return "delete" + l.unless()
	case "check":
		answer := l.unless()
		if l.Applied != nil && !*l.Applied {
			answer = " (not applied)"
		}
		return fmt.Sprintf("if %s then %s%s", or(l.Expect, "nothing"), or(l.Value, "delete"), answer)
	}
	return l.Op
}

func (l Line) unless() string {
	if l.Outcome == "unknown" {
		return " (no answer)"
	}
	return ""
}

func or(value *string, otherwise string) string {
	if value == nil {
		return otherwise
	}
	return *value
}
