// Rows of every size, up to the limits of the client and of the service.
package main

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"strings"

	"cloud.google.com/go/bigtable"
	"cloud.google.com/go/bigtable/apiv2/bigtablepb"
	"google.golang.org/api/option"
	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/credentials/insecure"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/types/known/wrapperspb"
)

const (
	kib = 1 << 10
	mib = 1 << 20
	// The client takes messages of at most this size from an emulator, and each must have whole rows.
	emulatorMessage = 4 * mib
	// From the service, it takes messages of at most this size, which is also the limit of the service for a row.
	serviceMessage = 256 * mib
	// The limit of the service for a cell.
	cellLimit = 100 * mib
)

// content makes a value of this size, which differs at each place from a value that is moved by a part of a row.
func content(size int) []byte {
	value := make([]byte, size)
	for at := range value {
		value[at] = byte(at ^ at>>8 ^ at>>16 ^ at>>24 ^ size)
	}
	return value
}

// messageOf is the size of the message with a row of one cell.
func messageOf(row, family, column string, value []byte) int {
	return proto.Size(&bigtablepb.ReadRowsResponse{Chunks: []*bigtablepb.ReadRowsResponse_CellChunk{{
		RowKey:          []byte(row),
		FamilyName:      wrapperspb.String(family),
		Qualifier:       wrapperspb.Bytes([]byte(column)),
		TimestampMicros: 1000,
		Value:           value,
		RowStatus:       &bigtablepb.ReadRowsResponse_CellChunk_CommitRow{CommitRow: true},
	}}})
}

// put1 writes a row of one cell.
func put1(ctx context.Context, table *bigtable.Table, row string, value []byte) error {
	mutation := bigtable.NewMutation()
	mutation.Set("f", "q", 1000, value)
	return table.Apply(ctx, row, mutation)
}

// holds is nil if a row has this one cell.
func holds(row bigtable.Row, value []byte) error {
	if len(row["f"]) != 1 {
		return fmt.Errorf("expected a cell; got %d", len(row["f"]))
	}
	if found := row["f"][0].Value; !bytes.Equal(found, value) {
		return fmt.Errorf("expected %d bytes; got %d, or others", len(value), len(found))
	}
	return nil
}

// clientOfService is a client with the limits that it has for the service.
func clientOfService(ctx context.Context) (*bigtable.Client, error) {
	address := os.Getenv("BIGTABLE_EMULATOR_HOST")
	limits := grpc.WithDefaultCallOptions(grpc.MaxCallSendMsgSize(serviceMessage), grpc.MaxCallRecvMsgSize(serviceMessage))
	connection, err := grpc.NewClient("passthrough:///"+address, grpc.WithTransportCredentials(insecure.NewCredentials()), limits)
	if err != nil {
		return nil, err
	}
	return bigtable.NewClient(ctx, "interop", "go", option.WithGRPCConn(connection))
}

func sizeSteps(f *fixture) {
	table := f.table("sizes", "f", "g")
	f.step("cells of every size up to 3 MiB are read one by one and in a scan", func(ctx context.Context) error {
		// Around the sizes at which a length takes a byte more, and at which the mock ends a message or divides a row.
		sizes := []int{0, 1}
		for _, near := range []int{128, 16 * kib, 128 * kib, mib, 2 * mib, 3 * mib} {
			for size := near - 80; size <= near+1; size += 27 {
				sizes = append(sizes, size)
			}
		}
		for _, size := range sizes {
			if err := put1(ctx, table, fmt.Sprintf("%08d", size), content(size)); err != nil {
				return err
			}
			row, err := table.ReadRow(ctx, fmt.Sprintf("%08d", size))
			if err == nil {
				err = holds(row, content(size))
			}
			if err != nil {
				return fmt.Errorf("%d bytes: %w", size, err)
			}
		}
		for _, options := range [][]bigtable.ReadOption{nil, {bigtable.ReverseScan()}} {
			count := 0
			var wrong error
			err := table.ReadRows(ctx, bigtable.InfiniteRange(""), func(row bigtable.Row) bool {
				at := count
				if options != nil {
					at = len(sizes) - 1 - count
				}
				count++
				wrong = holds(row, content(sizes[at]))
				return wrong == nil
			}, options...)
			if err != nil || wrong != nil {
				return fmt.Errorf("row %d: %v %v", count, err, wrong)
			}
			if err := equal(count, len(sizes)); err != nil {
				return err
			}
		}
		return nil
	})
	f.step("the largest row that the client takes from an emulator is read, and one of a byte more is not", func(ctx context.Context) error {
		large := f.table("largest", "f")
		size := emulatorMessage - messageOf("r", "f", "q", nil)
		for messageOf("r", "f", "q", content(size)) > emulatorMessage {
			size--
		}
		// A small row before and after it, which are not sent with it.
		for _, row := range []string{"a", "z"} {
			if err := put1(ctx, large, row, []byte(row)); err != nil {
				return err
			}
		}
		if err := put1(ctx, large, "r", content(size)); err != nil {
			return err
		}
		count := 0
		err := large.ReadRows(ctx, bigtable.InfiniteRange(""), func(row bigtable.Row) bool {
			count++
			return row.Key() != "r" || holds(row, content(size)) == nil
		})
		if err != nil {
			return err
		}
		if err := equal(count, 3); err != nil {
			return err
		}
		if err := put1(ctx, large, "r", content(size+1)); err != nil {
			return err
		}
		_, err = large.ReadRow(ctx, "r")
		return fails(err, codes.ResourceExhausted, "4194305 vs. 4194304")
	})
	f.step("rows of many cells, columns and families are read", func(ctx context.Context) error {
		var families []string
		for family := range 100 {
			families = append(families, fmt.Sprintf("f%02d", family))
		}
		many := f.table("many", families...)
		for _, row := range []struct {
			key                         string
			families, columns, versions int
		}{{"cells", 1, 1, 2_000}, {"columns", 1, 20_000, 1}, {"families", 100, 10, 10}} {
			mutation := bigtable.NewMutation()
			for family := range row.families {
				for column := range row.columns {
					for version := range row.versions {
						at := bigtable.Timestamp(version * 1000)
						mutation.Set(families[family], fmt.Sprintf("%05d", column), at, content(version%40))
					}
				}
			}
			if err := many.Apply(ctx, row.key, mutation); err != nil {
				return err
			}
			found, err := many.ReadRow(ctx, row.key)
			if err != nil {
				return err
			}
			if err := equal(len(found), row.families); err != nil {
				return err
			}
			for family := range row.families {
				cells := found[families[family]]
				if err := equal(len(cells), row.columns*row.versions); err != nil {
					return err
				}
				for at, cell := range cells {
					// The newest version of a column is the first.
					version := row.versions - 1 - at%row.versions
					column := fmt.Sprintf("%s:%05d", families[family], at/row.versions)
					if cell.Column != column || cell.Timestamp != bigtable.Timestamp(version*1000) || !bytes.Equal(cell.Value, content(version%40)) {
						return fmt.Errorf("cell %d of %s: %v", at, row.key, short(cell))
					}
				}
			}
		}
		return nil
	})
	client, err := clientOfService(f.ctx)
	must(err)
	defer client.Close()
	wide := client.Open("sizes")
	for _, size := range []int{emulatorMessage, 10_000_000, 10 * mib, cellLimit} {
		f.step(fmt.Sprintf("with the limits for the service, a cell of %d bytes is read", size), func(ctx context.Context) error {
			value := content(size)
			if err := put1(ctx, wide, "one", value); err != nil {
				return err
			}
			row, err := wide.ReadRow(ctx, "one")
			if err != nil {
				return err
			}
			return holds(row, value)
		})
	}
	f.step("a cell of more than 100 MiB is refused", func(ctx context.Context) error {
		err := put1(ctx, wide, "refused", content(cellLimit+1))
		return fails(err, codes.InvalidArgument, "104857601")
	})
	f.step("with the limits for the service, a row of 12 MiB is read among small ones", func(ctx context.Context) error {
		mutation := bigtable.NewMutation()
		for column := range 12 {
			mutation.Set("g", fmt.Sprintf("%02d", column), 1000, content(mib+column))
		}
		if err := wide.Apply(ctx, "twelve", mutation); err != nil {
			return err
		}
		var sizes []int
		filter := bigtable.RowFilter(bigtable.FamilyFilter("g"))
		err := wide.ReadRows(ctx, bigtable.InfiniteRange(""), func(row bigtable.Row) bool {
			for column, cell := range row["g"] {
				if bytes.Equal(cell.Value, content(mib+column)) {
					sizes = append(sizes, len(cell.Value)-mib)
				}
			}
			return true
		}, filter)
		if err != nil {
			return err
		}
		return equal(sizes, []int{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11})
	})
	if os.Getenv("TALLROW_THOROUGH") == "" {
		return
	}
	// Three columns of a row of this size, whose message has less than 1 KiB besides.
	putLargest := func(ctx context.Context, size int) error {
		for at, column := range []string{"a", "b", "c"} {
			part := size / 3
			if at == 2 {
				part = size - 2*part
			}
			mutation := bigtable.NewMutation()
			mutation.Set("f", column, 1000, []byte(strings.Repeat(column, part)))
			if err := wide.Apply(ctx, "largest", mutation); err != nil {
				return err
			}
		}
		return nil
	}
	sizeOf := func(row bigtable.Row) (size int) {
		for _, cell := range row["f"] {
			size += len(cell.Value)
		}
		return size
	}
	f.step("with the limits for the service, a row of 256 MiB is read", func(ctx context.Context) error {
		if err := putLargest(ctx, serviceMessage-kib); err != nil {
			return err
		}
		row, err := wide.ReadRow(ctx, "largest")
		if err != nil {
			return err
		}
		return equal(sizeOf(row), serviceMessage-kib)
	})
	f.step("a row of more than 256 MiB is refused, and can be read in parts", func(ctx context.Context) error {
		if err := putLargest(ctx, serviceMessage+1); err != nil {
			return err
		}
		_, err := wide.ReadRow(ctx, "largest")
		if err := fails(err, codes.FailedPrecondition, "268435456"); err != nil {
			return err
		}
		row, err := wide.ReadRow(ctx, "largest", bigtable.RowFilter(bigtable.ColumnFilter("[ab]")))
		if err != nil {
			return err
		}
		return equal(sizeOf(row), (serviceMessage+1)/3*2)
	})
}
