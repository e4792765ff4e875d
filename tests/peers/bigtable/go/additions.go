// Additions to a counter while the mock loses one reply in 20. The client sends these additions
// again, without a token, so that each lost reply is counted twice.
package main

import (
	"context"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"sync"

	"cloud.google.com/go/bigtable"
)

const (
	additionCount = 20_000
	callerCount   = 8
	bulkSize      = 25
)

// controlPort is the control port of the mock.
type controlPort string

func (at controlPort) call(method, path, body string, answer any) error {
	request, err := http.NewRequest(method, "http://"+string(at)+path, strings.NewReader(body))
	if err != nil {
		return err
	}
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		return err
	}
	defer response.Body.Close()
	text, err := io.ReadAll(response.Body)
	if err != nil {
		return err
	}
	if response.StatusCode != http.StatusOK {
		return fmt.Errorf("%s %s: %s: %s", method, path, response.Status, text)
	}
	return json.Unmarshal(text, answer)
}

// lose makes the mock lose one reply in 20 of a method: it makes the changes and answers with
// UNAVAILABLE. This ends when the function is called that it returns; that function returns the
// number of lost replies.
func (at controlPort) lose(method string) (func() (int64, error), error) {
	var injected struct{ IDs []int }
	fault := fmt.Sprintf(`{"on": %q, "table": "additions", "chance": 0.05,
		"effect": "fail_after", "code": "UNAVAILABLE", "message": "the reply is lost"}`, method)
	if err := at.call("POST", "/faults", fault, &injected); err != nil {
		return nil, err
	}
	return func() (int64, error) {
		var faults []struct {
			ID    int
			Fired int64
		}
		if err := at.call("GET", "/faults", "", &faults); err != nil {
			return 0, err
		}
		for _, fault := range faults {
			if len(injected.IDs) == 1 && fault.ID == injected.IDs[0] {
				var removed any
				return fault.Fired, at.call("DELETE", fmt.Sprintf("/faults/%d", fault.ID), "", &removed)
			}
		}
		return 0, fmt.Errorf("the mock has no fault %v", injected.IDs)
	}, nil
}

func additionSteps(f *fixture, control controlPort) {
	config := &bigtable.TableConf{TableID: "additions", ColumnFamilies: map[string]bigtable.Family{
		"sum": aggregate(bigtable.SumAggregator{}),
	}}
	_ = f.admin.DeleteTable(f.ctx, "additions")
	must(f.admin.CreateTableFromConf(f.ctx, config))
	one := bigtable.NewMutation()
	one.AddIntToCell("sum", "n", 0, 1)
	many := make([]*bigtable.Mutation, bulkSize)
	for at := range many {
		many[at] = one
	}
	table := f.client.Open("additions")
	single := func() error { return table.Apply(f.ctx, "single", one) }
	bulk := func() error {
		rows := make([]string, bulkSize)
		for at := range rows {
			rows[at] = "bulk"
		}
		errs, err := table.ApplyBulk(f.ctx, rows, many)
		if err == nil && errs != nil {
			err = errors.Join(errs...)
		}
		return err
	}
	for _, way := range []struct {
		name, row, method string
		size              int64
		add               func() error
	}{
		{"one by one", "single", "MutateRow", 1, single},
		{"25 in each call", "bulk", "MutateRows", bulkSize, bulk},
	} {
		// The time that the step gives is too short for all of them.
		f.step("additions "+way.name+" are counted once more for each lost reply", func(context.Context) error {
			stop, err := control.lose(way.method)
			if err != nil {
				return err
			}
			if err := callers(additionCount/way.size, way.add); err != nil {
				return err
			}
			lost, err := stop()
			if err != nil {
				return err
			}
			row, err := table.ReadRow(f.ctx, way.row)
			if err != nil {
				return err
			}
			sum := int64(binary.BigEndian.Uint64(row["sum"][0].Value))
			fmt.Printf("additions %s: %d additions in %d calls, %d replies lost, a sum of %d\n",
				way.name, additionCount, additionCount/way.size, lost, sum)
			if lost == 0 {
				return fmt.Errorf("no reply was lost")
			}
			return equal(sum, additionCount+lost*way.size)
		})
	}
}

// callers makes the calls, several at a time, and returns the first error.
func callers(calls int64, add func() error) error {
	var group sync.WaitGroup
	errs := make(chan error, callerCount)
	for range callerCount {
		group.Go(func() {
			for range calls / callerCount {
				if err := add(); err != nil {
					errs <- err
					return
				}
			}
		})
	}
	group.Wait()
	close(errs)
	return <-errs
}
