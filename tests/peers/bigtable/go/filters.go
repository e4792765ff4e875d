// Filters and garbage collection.
package main

import (
	"context"
	"strings"
	"time"

	"cloud.google.com/go/bigtable"
	"google.golang.org/grpc/codes"
)

func filterSteps(f *fixture) {
	table := f.table("filters", "f", "g")
	for _, cell := range []struct {
		row, family, column string
		at                  bigtable.Timestamp
		value               string
	}{
		{"a", "f", "p", 1000, "1"}, {"a", "f", "q", 2000, "2"}, {"a", "f", "q", 1000, "3"},
		{"a", "g", "p", 1000, "4"}, {"b\n", "f", "p", 1000, "5"}, {"b\n", "g", "r", 3000, "six\n"},
	} {
		must(put(f.ctx, table, cell.row, cell.family, cell.column, cell.at, cell.value))
	}
	expect := func(name string, filter bigtable.Filter, expected string) {
		f.step(name, func(ctx context.Context) error {
			found, err := read(ctx, table, bigtable.InfiniteRange(""), bigtable.RowFilter(filter))
			if err != nil {
				return err
			}
			var values []string
			for _, cell := range found {
				values = append(values, strings.ReplaceAll(cell[strings.Index(cell, "=")+1:], "\n", "!"))
			}
			return equal(strings.Join(values, " "), expected)
		})
	}
	expect("pass all", bigtable.PassAllFilter(), "1 2 3 4 5 six!")
	expect("block all", bigtable.BlockAllFilter(), "")
	expect("row keys", bigtable.RowKeyFilter("a"), "1 2 3 4")
	expect("a dot is not a line feed in a row key", bigtable.RowKeyFilter("b."), "")
	expect("any byte in a row key", bigtable.RowKeyFilter("b\\C"), "5 six!")
	expect("families", bigtable.FamilyFilter("g|x"), "4 six!")
	expect("columns", bigtable.ColumnFilter("[q-z]"), "2 3 six!")
	expect("values", bigtable.ValueFilter("[1-3]"), "1 2 3")
	expect("a range of columns", bigtable.ColumnRangeFilter("f", "p", "q"), "1 5")
	expect("a range of timestamps", bigtable.TimestampRangeFilterMicros(1000, 2000), "1 3 4 5")
	expect("timestamps without end", bigtable.TimestampRangeFilterMicros(2000, 0), "2 six!")
	expect("a range of values", bigtable.ValueRangeFilter([]byte("2"), []byte("4")), "2 3")
	expect("the newest of each column", bigtable.LatestNFilter(1), "1 2 4 5 six!")
	// Which family is the first of a row is not defined.
	first := bigtable.ChainFilters(bigtable.FamilyFilter("f"), bigtable.CellsPerRowLimitFilter(1))
	expect("the first of each row", first, "1 5")
	expect("all but the first of each row", bigtable.ChainFilters(
		bigtable.FamilyFilter("f"), bigtable.CellsPerRowOffsetFilter(1)), "2 3")
	expect("without values", bigtable.ChainFilters(bigtable.FamilyFilter("g"), bigtable.StripValueFilter()), " ")
	expect("labels", bigtable.ChainFilters(bigtable.FamilyFilter("g"), bigtable.LabelFilter("l-1")), "4 #l-1 six! #l-1")
	expect("a chain", bigtable.ChainFilters(first, bigtable.ColumnFilter("q")), "")
	expect("an interleave", bigtable.InterleaveFilters(
		bigtable.ValueFilter("1|5"), bigtable.ColumnFilter("p")), "1 1 4 5 5")
	expect("a condition", bigtable.ConditionFilter(bigtable.ColumnFilter("q"),
		first, bigtable.StripValueFilter()), "1  ")
	expect("a condition without one branch", bigtable.ConditionFilter(bigtable.ColumnFilter("q"),
		first, nil), "1")
	f.step("a pattern that is none is refused", func(ctx context.Context) error {
		_, err := read(ctx, table, bigtable.InfiniteRange(""), bigtable.RowFilter(bigtable.ValueFilter("(")))
		return fails(err, codes.InvalidArgument, "")
	})
	f.step("a sample of none is refused", func(ctx context.Context) error {
		_, err := read(ctx, table, bigtable.InfiniteRange(""), bigtable.RowFilter(bigtable.RowSampleFilter(2)))
		return fails(err, codes.InvalidArgument, "")
	})
}

func garbageSteps(f *fixture) {
	hour := bigtable.MaxAgePolicy(time.Hour)
	cases := []struct {
		name     string
		policy   bigtable.GCPolicy
		expected string
	}{
		{"versions", bigtable.MaxVersionsPolicy(2), "now hour"},
		{"an age", hour, "now"},
		{"a union", bigtable.UnionPolicy(bigtable.MaxVersionsPolicy(2), bigtable.MaxAgePolicy(3*time.Hour)), "now hour"},
		{"an intersection", bigtable.IntersectionPolicy(bigtable.MaxVersionsPolicy(2), hour), "now hour"},
	}
	for _, c := range cases {
		table := f.table("garbage", "f")
		must(f.admin.SetGCPolicy(f.ctx, "garbage", "f", c.policy))
		now := time.Now()
		for age, value := range []string{"now", "hour", "hours", "day"} {
			at := bigtable.Time(now.Add(-time.Duration(age*90) * time.Minute)).TruncateToMilliseconds()
			must(put(f.ctx, table, "r", "f", "q", at, value))
		}
		f.step(c.name, func(ctx context.Context) error {
			// The service may take its time; what is compared is what is left at last.
			var found string
			for range 25 {
				row, err := table.ReadRow(ctx, "r")
				if err != nil {
					return err
				}
				var values []string
				for _, cell := range row["f"] {
					values = append(values, string(cell.Value))
				}
				if found = strings.Join(values, " "); found == c.expected {
					return nil
				}
				time.Sleep(100 * time.Millisecond)
			}
			return equal(found, c.expected)
		})
	}
}
