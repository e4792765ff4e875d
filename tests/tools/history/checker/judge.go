package main

import (
	"fmt"
	"time"

	"github.com/anishathalye/porcupine"
)

// verdict is the result of checking a history.
type verdict struct {
	// wrong has the reasons why it is illegal, by the check that found them: versions, sums, orders.
	wrong [3][]string
	// repeated is whether it is legal only if acknowledged writes may be applied again.
	repeated bool
	// operations is the number of operations that were ordered.
	operations int
}

// reasons is the number of reasons.
func (v *verdict) reasons() int { return len(v.wrong[0]) + len(v.wrong[1]) + len(v.wrong[2]) }

func judge(h *History, limit time.Duration) verdict {
	v := verdict{wrong: [3][]string{ledger(h), sequences(h)}}
	for _, row := range h.rowNames() {
		calls := h.Rows[row]
		if isCounter(calls) {
			v.counter(h, row, calls, limit)
		} else {
			v.register(h, row, calls, limit)
		}
	}
	return v
}

func (v *verdict) counter(h *History, row string, calls []Line, limit time.Duration) {
	operations := counterOperations(calls)
	v.operations += len(operations)
	switch porcupine.CheckOperationsTimeout(counterModel, operations, limit) {
	case porcupine.Illegal:
		v.illegal(h, row, "no legal order", counterModel, operations, limit)
	case porcupine.Unknown:
		v.wrong[2] = append(v.wrong[2], fmt.Sprintf("row %s: not decided in %v; give -limit more, or the rows fewer calls", row, limit))
	}
}

func (v *verdict) register(h *History, row string, calls []Line, limit time.Duration) {
	atLeastOnce := h.Delivery == "at_least_once"
	if atLeastOnce && !v.repeated {
		result, _ := order(h, calls, rules{}, limit)
		v.repeated = result == porcupine.Illegal
	}
	result, operations := order(h, calls, rules{repeats: atLeastOnce}, limit)
	v.operations += len(operations)
	switch result {
	case porcupine.Illegal:
		v.illegal(h, row, "no legal order", registerModel, operations, limit)
	case porcupine.Unknown:
		why := fmt.Sprintf("no order by the server's timestamps, and no other found in %v", limit)
		v.illegal(h, row, why, registerModel, operations, limit)
	}
}

// order searches for a legal order by the server's timestamps, then for any, first with only likely repetitions; it returns what
// it searched first.
func order(h *History, calls []Line, by rules, limit time.Duration) (porcupine.CheckResult, []porcupine.Operation) {
	var shown []porcupine.Operation
	result := porcupine.Illegal
	for _, by.likely = range []bool{true, false} {
		for _, by.byTime = range []bool{true, false} {
			if (by.byTime && !h.Versions) || (by.likely && !by.repeats) {
				continue
			}
			operations := registerOperations(h, calls, by)
			if shown == nil {
				shown = operations
			}
			result = porcupine.CheckOperationsTimeout(registerModel, operations, limit)
			if result == porcupine.Ok {
				return result, shown
			}
		}
	}
	return result, shown
}

func (v *verdict) illegal(h *History, row, why string, model porcupine.Model, operations []porcupine.Operation, limit time.Duration) {
	shown := explain(h, row, model, operations, limit)
	v.wrong[2] = append(v.wrong[2], fmt.Sprintf("row %s: %s\n%s", row, why, shown))
}
