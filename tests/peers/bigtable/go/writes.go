// Mutations: deletions, order, what is refused.
package main

import (
	"context"
	"fmt"
	"strings"

	"cloud.google.com/go/bigtable"
	"google.golang.org/grpc/codes"
)

func writeSteps(f *fixture) {
	table := f.table("writes", "f", "g")
	after := func(name, expected string, change func(*bigtable.Mutation)) {
		f.step(name, func(ctx context.Context) error {
			start := bigtable.NewMutation()
			start.DeleteRow()
			start.Set("f", "a", 1000, []byte("1"))
			start.Set("f", "a", 2000, []byte("2"))
			start.Set("f", "b", 1000, []byte("3"))
			start.Set("g", "a", 1000, []byte("4"))
			if err := table.Apply(ctx, "r", start); err != nil {
				return err
			}
			mutation := bigtable.NewMutation()
			change(mutation)
			if err := table.Apply(ctx, "r", mutation); err != nil {
				return err
			}
			row, err := table.ReadRow(ctx, "r")
			if err != nil {
				return err
			}
			var values []string
			for _, cell := range cells(row) {
				values = append(values, cell[strings.Index(cell, "=")+1:])
			}
			return equal(strings.Join(values, " "), expected)
		})
	}
	after("a column is deleted", "3 4", func(m *bigtable.Mutation) { m.DeleteCellsInColumn("f", "a") })
	after("a range of versions is deleted", "2 3 4", func(m *bigtable.Mutation) {
		m.DeleteTimestampRange("f", "a", 0, 2000)
	})
	after("a family is deleted", "4", func(m *bigtable.Mutation) { m.DeleteCellsInFamily("f") })
	after("a row is deleted", "", func(m *bigtable.Mutation) { m.DeleteRow() })
	after("a deletion does not hide what comes later", "5", func(m *bigtable.Mutation) {
		m.DeleteRow()
		m.Set("f", "a", 0, []byte("5"))
	})
	after("a deletion takes what comes before", "3 4", func(m *bigtable.Mutation) {
		m.Set("f", "a", 9000, []byte("5"))
		m.DeleteCellsInColumn("f", "a")
	})
	f.step("an unknown family is not found", func(ctx context.Context) error {
		return fails(put(ctx, table, "u", "none", "q", 0, "v"), codes.NotFound, "")
	})
	f.step("a mutation that fails changes nothing", func(ctx context.Context) error {
		mutation := bigtable.NewMutation()
		mutation.Set("f", "q", 0, []byte("half"))
		mutation.Set("none", "q", 0, []byte("v"))
		if err := table.Apply(ctx, "half", mutation); err == nil {
			return fmt.Errorf("expected an error")
		}
		row, err := table.ReadRow(ctx, "half")
		if err != nil {
			return err
		}
		return equal(len(row), 0)
	})
	f.step("a row key has at most 4 KiB", func(ctx context.Context) error {
		key := strings.Repeat("k", 4097)
		return fails(put(ctx, table, key, "f", "q", 0, "v"), codes.InvalidArgument, "")
	})
	f.step("a mutation without changes is refused", func(ctx context.Context) error {
		err := table.Apply(ctx, "r", bigtable.NewMutation())
		return fails(err, codes.InvalidArgument, "")
	})
	f.step("in a bulk, only the entry with an unknown family fails", func(ctx context.Context) error {
		mutations := make([]*bigtable.Mutation, 3)
		for at, family := range []string{"f", "none", "g"} {
			mutations[at] = bigtable.NewMutation()
			mutations[at].Set(family, "q", 0, []byte("v"))
		}
		errs, err := table.ApplyBulk(ctx, []string{"x", "y", "z"}, mutations)
		if err != nil || len(errs) != 3 {
			return fmt.Errorf("expected an error for one entry; got %v %v", err, errs)
		}
		if errs[0] != nil || errs[2] != nil {
			return fmt.Errorf("expected an error for the second entry; got %v", errs)
		}
		return fails(errs[1], codes.NotFound, "")
	})
}

func counterSteps(f *fixture) {
	table := f.table("counters", "f")
	f.step("increments and appends", func(ctx context.Context) error {
		change := bigtable.NewReadModifyWrite()
		change.Increment("f", "n", 5)
		change.AppendValue("f", "s", []byte("ab"))
		change.Increment("f", "n", -7)
		change.AppendValue("f", "s", []byte("c"))
		row, err := table.ApplyReadModifyWrite(ctx, "r", change)
		if err != nil {
			return err
		}
		var found []string
		for _, cell := range row["f"] {
			found = append(found, fmt.Sprintf("%s=%q", cell.Column, cell.Value))
		}
		return equal(found, []string{`f:n="\xff\xff\xff\xff\xff\xff\xff\xfe"`, `f:s="abc"`})
	})
	f.step("a value that is no number is a failed precondition", func(ctx context.Context) error {
		change := bigtable.NewReadModifyWrite()
		change.Increment("f", "s", 1)
		_, err := table.ApplyReadModifyWrite(ctx, "r", change)
		return fails(err, codes.FailedPrecondition, "")
	})
	f.step("increments of 32 callers all count", func(ctx context.Context) error {
		done := make(chan error)
		for range 32 {
			go func() {
				var err error
				for at := 0; at < 50 && err == nil; at++ {
					change := bigtable.NewReadModifyWrite()
					change.Increment("f", "many", 1)
					_, err = table.ApplyReadModifyWrite(ctx, "r", change)
				}
				done <- err
			}()
		}
		for range 32 {
			if err := <-done; err != nil {
				return err
			}
		}
		row, err := table.ReadRow(ctx, "r", bigtable.RowFilter(bigtable.ChainFilters(
			bigtable.ColumnFilter("many"), bigtable.LatestNFilter(1))))
		if err != nil {
			return err
		}
		return equal(fmt.Sprintf("%x", row["f"][0].Value), fmt.Sprintf("%016x", 1600))
	})
}

func conditionSteps(f *fixture) {
	table := f.table("conditions", "f")
	must(put(f.ctx, table, "r", "f", "q", 1000, "old"))
	check := func(name string, filter bigtable.Filter, expected bool) {
		f.step(name, func(ctx context.Context) error {
			yes, no := bigtable.NewMutation(), bigtable.NewMutation()
			yes.Set("f", "result", 0, []byte("true"))
			no.Set("f", "result", 0, []byte("false"))
			var matched bool
			conditional := bigtable.NewCondMutation(filter, yes, no)
			if err := table.Apply(ctx, "r", conditional, bigtable.GetCondMutationResult(&matched)); err != nil {
				return err
			}
			row, err := table.ReadRow(ctx, "r", bigtable.RowFilter(bigtable.ColumnFilter("result")))
			if err != nil {
				return err
			}
			written := []string{fmt.Sprintf("r f:result@0=%v", expected)}
			if err := equal(matched, expected); err != nil {
				return err
			}
			return equal(cells(row), written)
		})
	}
	value := func(pattern string) bigtable.Filter {
		return bigtable.ChainFilters(bigtable.ColumnFilter("q"), bigtable.ValueFilter(pattern))
	}
	check("a condition that is met", value("old"), true)
	check("a condition that is not met", value("new"), false)
	check("a condition on a part of a value", value("ol"), false)
}
