// Families of aggregates, and tokens by which a repeated mutation is applied once.
package main

import (
	"context"
	"encoding/binary"
	"fmt"
	"time"

	"cloud.google.com/go/bigtable"
	"cloud.google.com/go/bigtable/apiv2/bigtablepb"
	"google.golang.org/grpc/codes"
	"google.golang.org/protobuf/types/known/timestamppb"
)

func aggregate(aggregator bigtable.Aggregator) bigtable.Family {
	input := bigtable.Int64Type{Encoding: bigtable.BigEndianBytesEncoding{}}
	return bigtable.Family{ValueType: bigtable.AggregateType{Input: input, Aggregator: aggregator}}
}

func int64Bytes(value int64) []byte {
	return binary.BigEndian.AppendUint64(nil, uint64(value))
}

// integers shows a row whose cells have eight bytes.
func integers(row bigtable.Row) []string {
	found := []string{}
	for _, family := range []string{"max", "min", "sum"} {
		for _, cell := range row[family] {
			if len(cell.Value) != 8 {
				found = append(found, fmt.Sprintf("%s@%d has %d bytes", cell.Column, cell.Timestamp, len(cell.Value)))
				continue
			}
			value := int64(binary.BigEndian.Uint64(cell.Value))
			found = append(found, fmt.Sprintf("%s@%d=%d", cell.Column, cell.Timestamp, value))
		}
	}
	return found
}

func aggregateSteps(f *fixture) {
	config := &bigtable.TableConf{TableID: "aggregates", ColumnFamilies: map[string]bigtable.Family{
		"sum": aggregate(bigtable.SumAggregator{}), "min": aggregate(bigtable.MinAggregator{}), "f": {},
	}}
	_ = f.admin.DeleteTable(f.ctx, "aggregates")
	must(f.admin.CreateTableFromConf(f.ctx, config))
	must(f.admin.CreateColumnFamilyWithConfig(f.ctx, "aggregates", "max", aggregate(bigtable.MaxAggregator{})))
	table := f.client.Open("aggregates")
	apply := func(ctx context.Context, row string, change func(*bigtable.Mutation)) error {
		mutation := bigtable.NewMutation()
		change(mutation)
		return table.Apply(ctx, row, mutation)
	}
	holds := func(ctx context.Context, row string, expected ...string) error {
		found, err := table.ReadRow(ctx, row)
		if err != nil {
			return err
		}
		return equal(integers(found), append([]string{}, expected...))
	}
	types := func(ctx context.Context) (map[string]string, error) {
		info, err := f.admin.TableInfo(ctx, "aggregates")
		if err != nil {
			return nil, err
		}
		types := map[string]string{}
		for _, family := range info.FamilyInfos {
			if of, ok := family.ValueType.(bigtable.AggregateType); ok {
				types[family.Name] = fmt.Sprintf("%T of %T", of.Aggregator, of.Input)
			}
			if family.Name == "sum" {
				types["rule"] = family.GCPolicy
			}
		}
		return types, nil
	}

	f.step("families have their types, and keep them when their rules change", func(ctx context.Context) error {
		if err := f.admin.SetGCPolicy(ctx, "aggregates", "sum", bigtable.MaxVersionsPolicy(2)); err != nil {
			return err
		}
		found, err := types(ctx)
		if err != nil {
			return err
		}
		return equal(found, map[string]string{
			"sum": "bigtable.SumAggregator of bigtable.Int64Type", "rule": "versions() > 2",
			"min": "bigtable.MinAggregator of bigtable.Int64Type",
			"max": "bigtable.MaxAggregator of bigtable.Int64Type",
		})
	})
	const immutable = "Immutable fields 'value_type.aggregate_type' cannot be updated"
	f.step("a type cannot be changed", func(ctx context.Context) error {
		err := f.admin.UpdateFamily(ctx, "aggregates", "sum", aggregate(bigtable.MaxAggregator{}))
		return fails(err, codes.InvalidArgument, immutable)
	})
	f.step("a family without a type gets none later", func(ctx context.Context) error {
		must(f.admin.CreateColumnFamily(ctx, "aggregates", "g"))
		err := f.admin.UpdateFamily(ctx, "aggregates", "g", aggregate(bigtable.MaxAggregator{}))
		return fails(err, codes.InvalidArgument, immutable)
	})
	f.step("a sum has what is added and merged, by timestamp", func(ctx context.Context) error {
		for _, value := range []int64{5, -7, 3} {
			err := apply(ctx, "sum", func(m *bigtable.Mutation) {
				m.AddIntToCell("sum", "q", 0, value)
				m.MergeBytesToCell("sum", "q", 2000, int64Bytes(10*value))
				m.AddIntToCell("sum", "q", 2000, 1)
			})
			if err != nil {
				return err
			}
		}
		return holds(ctx, "sum", "sum:q@2000=13", "sum:q@0=1")
	})
	f.step("a sum wraps", func(ctx context.Context) error {
		for _, value := range []int64{1<<63 - 1, 2} {
			err := apply(ctx, "wraps", func(m *bigtable.Mutation) { m.AddIntToCell("sum", "q", 0, value) })
			if err != nil {
				return err
			}
		}
		return holds(ctx, "wraps", fmt.Sprintf("sum:q@0=%d", -1<<63+1))
	})
	for family, expected := range map[string]int64{"min": -7, "max": 5} {
		f.step("a "+family+" keeps its value", func(ctx context.Context) error {
			for _, value := range []int64{5, -7, 3} {
				err := apply(ctx, family, func(m *bigtable.Mutation) { m.AddIntToCell(family, "q", 0, value) })
				if err != nil {
					return err
				}
			}
			return holds(ctx, family, fmt.Sprintf("%s:q@0=%d", family, expected))
		})
	}
	f.step("deletions take what was added before", func(ctx context.Context) error {
		err := apply(ctx, "deleted", func(m *bigtable.Mutation) {
			m.AddIntToCell("sum", "q", 0, 4)
			m.DeleteCellsInColumn("sum", "q")
			m.AddIntToCell("sum", "q", 0, 1)
			m.AddIntToCell("sum", "q", 0, 2)
		})
		if err != nil {
			return err
		}
		return holds(ctx, "deleted", "sum:q@0=3")
	})
	f.step("in a bulk and on a condition", func(ctx context.Context) error {
		one := bigtable.NewMutation()
		one.AddIntToCell("sum", "q", 0, 1)
		rows, mutations := []string{"bulk", "bulk", "other"}, []*bigtable.Mutation{one, one, one}
		if errs, err := table.ApplyBulk(ctx, rows, mutations); err != nil || errs != nil {
			return fmt.Errorf("%v %v", err, errs)
		}
		met := bigtable.NewCondMutation(bigtable.ColumnFilter("q"), one, nil)
		if err := table.Apply(ctx, "bulk", met); err != nil {
			return err
		}
		return holds(ctx, "bulk", "sum:q@0=3")
	})
	f.step("additions of 32 callers all count", func(ctx context.Context) error {
		done := make(chan error)
		for range 32 {
			go func() {
				var err error
				for at := 0; at < 50 && err == nil; at++ {
					err = apply(ctx, "many", func(m *bigtable.Mutation) { m.AddIntToCell("sum", "q", 0, 1) })
				}
				done <- err
			}()
		}
		for range 32 {
			if err := <-done; err != nil {
				return err
			}
		}
		return holds(ctx, "many", "sum:q@0=1600")
	})
	refused := func(name string, change func(*bigtable.Mutation)) {
		f.step(name, func(ctx context.Context) error {
			return fails(apply(ctx, "refused", change), codes.InvalidArgument, "")
		})
	}
	refused("a negative timestamp is refused", func(m *bigtable.Mutation) {
		m.AddIntToCell("sum", "q", -2000, 1)
	})
	refused("an addition to a family without a type is refused", func(m *bigtable.Mutation) {
		m.AddIntToCell("f", "q", 0, 1)
	})
	refused("a cell of an aggregate is not set", func(m *bigtable.Mutation) {
		m.Set("sum", "q", 0, int64Bytes(1))
	})
	f.step("a cell of an aggregate is not incremented", func(ctx context.Context) error {
		change := bigtable.NewReadModifyWrite()
		change.Increment("sum", "q", 1)
		_, err := table.ApplyReadModifyWrite(ctx, "refused", change)
		return fails(err, codes.InvalidArgument, "")
	})
	tokenSteps(f, holds)
}

// tokenSteps sends messages of its own, because the client sends no tokens.
func tokenSteps(f *fixture, holds func(ctx context.Context, row string, expected ...string) error) {
	client, done := messages()
	defer done()
	add := func(ctx context.Context, row string, token *bigtablepb.Idempotency) error {
		raw := func(bytes string) *bigtablepb.Value {
			return &bigtablepb.Value{Kind: &bigtablepb.Value_RawValue{RawValue: []byte(bytes)}}
		}
		zero := &bigtablepb.Value{Kind: &bigtablepb.Value_RawTimestampMicros{}}
		one := &bigtablepb.Value{Kind: &bigtablepb.Value_IntValue{IntValue: 1}}
		mutation := &bigtablepb.Mutation{Mutation: &bigtablepb.Mutation_AddToCell_{
			AddToCell: &bigtablepb.Mutation_AddToCell{
				FamilyName: "sum", ColumnQualifier: raw("q"), Timestamp: zero, Input: one,
			},
		}}
		_, err := client.MutateRow(ctx, &bigtablepb.MutateRowRequest{
			TableName:   "projects/interop/instances/go/tables/aggregates",
			RowKey:      []byte(row),
			Mutations:   []*bigtablepb.Mutation{mutation},
			Idempotency: token,
		})
		return err
	}
	token := func(token string, start time.Time) *bigtablepb.Idempotency {
		return &bigtablepb.Idempotency{Token: []byte(token), StartTime: timestamppb.New(start)}
	}
	f.step("an addition with a token counts once", func(ctx context.Context) error {
		same := token("the token", time.Now())
		for range 3 {
			if err := add(ctx, "token", same); err != nil {
				return err
			}
		}
		if err := add(ctx, "token", token("another token", time.Now())); err != nil {
			return err
		}
		return holds(ctx, "token", "sum:q@0=2")
	})
	f.step("a token of less than 8 bytes is refused", func(ctx context.Context) error {
		return fails(add(ctx, "token", token("7 bytes", time.Now())), codes.InvalidArgument, "")
	})
	f.step("an addition that began 16 minutes ago is refused", func(ctx context.Context) error {
		old := token("old token", time.Now().Add(-16*time.Minute))
		return fails(add(ctx, "token", old), codes.FailedPrecondition, "")
	})
}
