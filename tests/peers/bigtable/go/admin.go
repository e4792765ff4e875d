// Tables, families, splits, dropped rows.
package main

import (
	"context"
	"fmt"
	"sort"
	"time"

	"cloud.google.com/go/bigtable"
	"google.golang.org/grpc/codes"
)

func adminSteps(f *fixture) {
	policy := bigtable.UnionPolicy(bigtable.MaxVersionsPolicy(3), bigtable.MaxAgePolicy(time.Hour))
	config := &bigtable.TableConf{
		TableID:   "admin",
		SplitKeys: []string{"m", "c"},
		ColumnFamilies: map[string]bigtable.Family{
			"f": {GCPolicy: policy}, "g": {GCPolicy: bigtable.NoGcPolicy()},
		},
	}
	_ = f.admin.DeleteTable(f.ctx, "admin")
	f.step("a table is created", func(ctx context.Context) error {
		return f.admin.CreateTableFromConf(ctx, config)
	})
	f.step("a table that exists is not created", func(ctx context.Context) error {
		return fails(f.admin.CreateTableFromConf(ctx, config), codes.AlreadyExists, "already exists")
	})
	f.step("a table is listed", func(ctx context.Context) error {
		tables, err := f.admin.Tables(ctx)
		if err != nil {
			return err
		}
		for _, table := range tables {
			if table == "admin" {
				return nil
			}
		}
		return fmt.Errorf("expected admin in %v", tables)
	})
	families := func(ctx context.Context) ([]string, error) {
		info, err := f.admin.TableInfo(ctx, "admin")
		if err != nil {
			return nil, err
		}
		var families []string
		for _, family := range info.FamilyInfos {
			families = append(families, family.Name+" "+family.GCPolicy)
		}
		sort.Strings(families)
		return families, nil
	}
	f.step("families have their rules", func(ctx context.Context) error {
		found, err := families(ctx)
		if err != nil {
			return err
		}
		return equal(found, []string{"f (versions() > 3 || age() > 1h)", "g "})
	})
	f.step("families are created, changed, deleted", func(ctx context.Context) error {
		if err := f.admin.CreateColumnFamily(ctx, "admin", "h"); err != nil {
			return err
		}
		rule := bigtable.IntersectionPolicy(bigtable.MaxVersionsPolicy(2), bigtable.MaxAgePolicy(time.Minute))
		if err := f.admin.SetGCPolicy(ctx, "admin", "h", rule); err != nil {
			return err
		}
		if err := f.admin.DeleteColumnFamily(ctx, "admin", "g"); err != nil {
			return err
		}
		found, err := families(ctx)
		if err != nil {
			return err
		}
		return equal(found, []string{"f (versions() > 3 || age() > 1h)", "h (versions() > 2 && age() > 1m)"})
	})
	f.step("a family that exists is not created", func(ctx context.Context) error {
		return fails(f.admin.CreateColumnFamily(ctx, "admin", "h"), codes.AlreadyExists, "")
	})
	f.step("a family that is missing is not deleted", func(ctx context.Context) error {
		return fails(f.admin.DeleteColumnFamily(ctx, "admin", "none"), codes.NotFound, "")
	})
	f.step("splits are sample keys", func(ctx context.Context) error {
		keys, err := f.client.Open("admin").SampleRowKeys(ctx)
		if err != nil {
			return err
		}
		return equal(keys, []string{"c", "m"})
	})
	f.step("rows are dropped by prefix", func(ctx context.Context) error {
		table := f.table("dropped", "f")
		for _, row := range []string{"a", "cc", "cd", "d", "z"} {
			if err := put(ctx, table, row, "f", "q", 0, "v"); err != nil {
				return err
			}
		}
		if err := f.admin.DropRowRange(ctx, "dropped", "c"); err != nil {
			return err
		}
		found, err := read(ctx, table, bigtable.InfiniteRange(""))
		if err != nil {
			return err
		}
		return equal(found, []string{"a f:q@0=v", "d f:q@0=v", "z f:q@0=v"})
	})
	f.step("all rows are dropped", func(ctx context.Context) error {
		if err := f.admin.DropAllRows(ctx, "dropped"); err != nil {
			return err
		}
		found, err := read(ctx, f.client.Open("dropped"), bigtable.InfiniteRange(""))
		if err != nil {
			return err
		}
		return equal(len(found), 0)
	})
	f.step("everything is replicated", func(ctx context.Context) error {
		return f.admin.WaitForReplication(ctx, "admin")
	})
	f.step("a table is deleted", func(ctx context.Context) error {
		if err := f.admin.DeleteTable(ctx, "admin"); err != nil {
			return err
		}
		_, err := f.admin.TableInfo(ctx, "admin")
		return fails(err, codes.NotFound, "")
	})
	f.step("a table that is missing is not read", func(ctx context.Context) error {
		_, err := f.client.Open("admin").ReadRow(ctx, "r")
		return fails(err, codes.NotFound, "")
	})
}
