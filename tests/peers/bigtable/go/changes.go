// Change streams, which the client has only as messages: partitions, and the changes of rows.
package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"time"

	"cloud.google.com/go/bigtable"
	"cloud.google.com/go/bigtable/apiv2/bigtablepb"
	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/credentials/insecure"
	"google.golang.org/protobuf/types/known/durationpb"
	"google.golang.org/protobuf/types/known/timestamppb"
)

// messages returns a client that sends the messages that it is given, and a function that closes it.
func messages() (bigtablepb.BigtableClient, func()) {
	address := os.Getenv("BIGTABLE_EMULATOR_HOST")
	connection, err := grpc.NewClient(address, grpc.WithTransportCredentials(insecure.NewCredentials()))
	must(err)
	return bigtablepb.NewBigtableClient(connection), func() { _ = connection.Close() }
}

func changeSteps(f *fixture) {
	const name = "changes"
	path := "projects/interop/instances/go/tables/" + name
	_ = f.admin.DeleteTable(f.ctx, name)
	must(f.admin.CreateTableFromConf(f.ctx, &bigtable.TableConf{
		TableID: name, SplitKeys: []string{"m"},
		ColumnFamilies:        map[string]bigtable.Family{"f": {}, "sum": aggregate(bigtable.SumAggregator{})},
		ChangeStreamRetention: 24 * time.Hour,
	}))
	client, done := messages()
	defer done()
	begin := time.Now().Add(-time.Minute)

	partitions := func(ctx context.Context) ([]*bigtablepb.StreamPartition, error) {
		request := &bigtablepb.GenerateInitialChangeStreamPartitionsRequest{TableName: path}
		stream, err := client.GenerateInitialChangeStreamPartitions(ctx, request)
		if err != nil {
			return nil, err
		}
		var found []*bigtablepb.StreamPartition
		for {
			answer, err := stream.Recv()
			if errors.Is(err, io.EOF) {
				return found, nil
			}
			if err != nil {
				return nil, err
			}
			found = append(found, answer.Partition)
		}
	}
	// changes returns the changes of a partition until now.
	changes := func(ctx context.Context, partition *bigtablepb.StreamPartition, start time.Time) ([]string, error) {
		stream, err := client.ReadChangeStream(ctx, &bigtablepb.ReadChangeStreamRequest{
			TableName: path, Partition: partition,
			StartFrom: &bigtablepb.ReadChangeStreamRequest_StartTime{StartTime: timestamppb.New(start)},
			EndTime:   timestamppb.New(time.Now().Add(time.Second)), HeartbeatDuration: durationpb.New(time.Second),
		})
		if err != nil {
			return nil, err
		}
		found := []string{}
		for {
			answer, err := stream.Recv()
			if errors.Is(err, io.EOF) {
				return found, nil
			}
			if err != nil {
				return nil, err
			}
			change := answer.GetDataChange()
			if change == nil {
				continue
			}
			for _, chunk := range change.Chunks {
				text := string(change.RowKey)
				switch of := chunk.Mutation.Mutation.(type) {
				case *bigtablepb.Mutation_SetCell_:
					text += fmt.Sprintf(" set %s:%s=%s", of.SetCell.FamilyName, of.SetCell.ColumnQualifier, of.SetCell.Value)
				case *bigtablepb.Mutation_AddToCell_:
					text += fmt.Sprintf(" add %s %d", of.AddToCell.FamilyName, of.AddToCell.Input.GetIntValue())
				case *bigtablepb.Mutation_DeleteFromFamily_:
					text += " delete " + of.DeleteFromFamily.FamilyName
				default:
					text += fmt.Sprintf(" %T", of)
				}
				found = append(found, text)
			}
		}
	}

	f.step("a table has its retention", func(ctx context.Context) error {
		info, err := f.admin.TableInfo(ctx, name)
		if err != nil {
			return err
		}
		return equal(info.ChangeStreamRetention, 24*time.Hour)
	})
	f.step("the partitions are parts of the table", func(ctx context.Context) error {
		found, err := partitions(ctx)
		if err != nil {
			return err
		}
		shown := []string{}
		for _, partition := range found {
			row := partition.RowRange
			shown = append(shown, fmt.Sprintf("%s..%s", row.GetStartKeyClosed(), row.GetEndKeyOpen()))
		}
		return equal(shown, []string{"..m", "m.."})
	})
	f.step("the changes of rows are read by partition", func(ctx context.Context) error {
		table := f.client.Open(name)
		one := bigtable.NewMutation()
		one.Set("f", "q", 1000, []byte("1"))
		one.AddIntToCell("sum", "n", 0, 7)
		if err := table.Apply(ctx, "a", one); err != nil {
			return err
		}
		if err := put(ctx, table, "z", "f", "q", 1000, "2"); err != nil {
			return err
		}
		whole := bigtable.NewMutation()
		whole.DeleteCellsInFamily("f")
		if err := table.Apply(ctx, "a", whole); err != nil {
			return err
		}
		found, err := partitions(ctx)
		if err != nil {
			return err
		}
		all := []string{}
		for _, partition := range found {
			of, err := changes(ctx, partition, begin)
			if err != nil {
				return err
			}
			all = append(all, of...)
		}
		return equal(all, []string{"a set f:q=1", "a add sum 7", "a delete f", "z set f:q=2"})
	})
	f.step("a stream does not begin before its retention", func(ctx context.Context) error {
		whole := &bigtablepb.StreamPartition{RowRange: &bigtablepb.RowRange{}}
		_, err := changes(ctx, whole, time.Now().Add(-48*time.Hour))
		return fails(err, codes.OutOfRange, "")
	})
	f.step("a table without a stream has no changes", func(ctx context.Context) error {
		f.table("changes_none", "f")
		stream, err := client.GenerateInitialChangeStreamPartitions(ctx,
			&bigtablepb.GenerateInitialChangeStreamPartitionsRequest{TableName: path + "_none"})
		if err == nil {
			_, err = stream.Recv()
		}
		return fails(err, codes.FailedPrecondition, "")
	})
}
