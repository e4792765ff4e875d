// Reads: rows, ranges, limits, directions, large rows.
package main

import (
	"context"
	"fmt"
	"sort"
	"strings"

	"cloud.google.com/go/bigtable"
)

func put(ctx context.Context, table *bigtable.Table, row, family, column string, at bigtable.Timestamp, value string) error {
	mutation := bigtable.NewMutation()
	mutation.Set(family, column, at, []byte(value))
	return table.Apply(ctx, row, mutation)
}

// cells shows a row: its cells by family and column, the newest first, with their labels.
func cells(row bigtable.Row) []string {
	var families, found []string
	for family := range row {
		families = append(families, family)
	}
	sort.Strings(families)
	for _, family := range families {
		for _, cell := range row[family] {
			text := fmt.Sprintf("%s %s@%d=%s", cell.Row, cell.Column, cell.Timestamp, cell.Value)
			if len(cell.Labels) > 0 {
				text += " #" + strings.Join(cell.Labels, " #")
			}
			found = append(found, text)
		}
	}
	return found
}

// readable is a table or a view.
type readable interface {
	ReadRows(ctx context.Context, rows bigtable.RowSet, of func(bigtable.Row) bool, options ...bigtable.ReadOption) error
}

func read(ctx context.Context, table readable, rows bigtable.RowSet, options ...bigtable.ReadOption) ([]string, error) {
	found := []string{}
	err := table.ReadRows(ctx, rows, func(row bigtable.Row) bool {
		found = append(found, cells(row)...)
		return true
	}, options...)
	return found, err
}

func rowSteps(f *fixture) {
	table := f.table("rows", "f", "g")
	for _, row := range []string{"a", "b", "ba", "c", "d"} {
		must(put(f.ctx, table, row, "f", "q", 1000, row))
	}
	expect := func(name string, rows bigtable.RowSet, expected string, options ...bigtable.ReadOption) {
		f.step(name, func(ctx context.Context) error {
			found, err := read(ctx, table, rows, options...)
			if err != nil {
				return err
			}
			keys := []string{}
			for _, cell := range found {
				key, _, _ := strings.Cut(cell, " ")
				keys = append(keys, key)
			}
			return equal(strings.Join(keys, " "), expected)
		})
	}
	all := bigtable.InfiniteRange("")
	expect("a scan", all, "a b ba c d")
	expect("a reversed scan", all, "d c ba b a", bigtable.ReverseScan())
	expect("a limit", all, "a b", bigtable.LimitRows(2))
	expect("a reversed limit", all, "d c", bigtable.LimitRows(2), bigtable.ReverseScan())
	expect("a prefix", bigtable.PrefixRange("b"), "b ba")
	expect("a range", bigtable.NewRange("b", "c"), "b ba")
	expect("an open range", bigtable.NewOpenRange("b", "d"), "ba c")
	expect("a closed range", bigtable.NewClosedRange("b", "c"), "b ba c")
	expect("a range to the end", bigtable.InfiniteRange("c"), "c d")
	expect("keys", bigtable.RowList{"d", "x", "a"}, "a d")
	expect("ranges", bigtable.RowRangeList{bigtable.NewRange("a", "b"), bigtable.InfiniteRange("d")}, "a d")
	f.step("a row", func(ctx context.Context) error {
		row, err := table.ReadRow(ctx, "ba")
		if err != nil {
			return err
		}
		return equal(cells(row), []string{"ba f:q@1000=ba"})
	})
	f.step("a row that is missing", func(ctx context.Context) error {
		row, err := table.ReadRow(ctx, "none")
		if err != nil {
			return err
		}
		return equal(len(row), 0)
	})
	f.step("versions come the newest first", func(ctx context.Context) error {
		mutation := bigtable.NewMutation()
		for at := 1; at <= 3; at++ {
			mutation.Set("g", "v", bigtable.Timestamp(at*1000), []byte{byte('0' + at)})
		}
		if err := table.Apply(ctx, "versions", mutation); err != nil {
			return err
		}
		row, err := table.ReadRow(ctx, "versions")
		if err != nil {
			return err
		}
		return equal(cells(row), []string{"versions g:v@3000=3", "versions g:v@2000=2", "versions g:v@1000=1"})
	})
	f.step("what a read costs", func(ctx context.Context) error {
		var counts []int64
		stats := bigtable.WithFullReadStats(func(stats *bigtable.FullReadStats) {
			read := stats.ReadIterationStats
			counts = []int64{read.RowsReturnedCount, read.CellsReturnedCount}
		})
		filter := bigtable.RowFilter(bigtable.ValueFilter("b.*"))
		if _, err := read(ctx, table, bigtable.NewRange("a", "d"), filter, stats); err != nil {
			return err
		}
		return equal(counts, []int64{2, 2})
	})
	f.step("100,000 rows are written in bulk and read", func(ctx context.Context) error {
		bulk := f.table("bulk", "f")
		const count = 100_000
		value := []byte(strings.Repeat("v", 100))
		for from := 0; from < count; from += 10_000 {
			var keys []string
			var mutations []*bigtable.Mutation
			for row := from; row < from+10_000; row++ {
				mutation := bigtable.NewMutation()
				mutation.Set("f", "q", 0, value)
				keys, mutations = append(keys, fmt.Sprintf("%06d", row)), append(mutations, mutation)
			}
			if errs, err := bulk.ApplyBulk(ctx, keys, mutations); err != nil || len(errs) > 0 {
				return fmt.Errorf("%v %v", err, errs)
			}
		}
		read, last := 0, ""
		err := bulk.ReadRows(ctx, bigtable.InfiniteRange(""), func(row bigtable.Row) bool {
			if row.Key() <= last {
				return false
			}
			read, last = read+1, row.Key()
			return true
		})
		if err != nil {
			return err
		}
		return equal(read, count)
	})
}
