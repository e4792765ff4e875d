// Backups: how they are made, listed, copied, changed and deleted, and tables that come back.
package main

import (
	"context"
	"errors"
	"time"

	"cloud.google.com/go/bigtable"
	"google.golang.org/api/iterator"
	"google.golang.org/grpc/codes"
)

func backupSteps(f *fixture) {
	const name, cluster, backup = "backups", "c1", "weekly"
	day := 24 * time.Hour
	week := time.Now().Add(7 * day)
	table := f.table(name, "f")
	must(put(f.ctx, table, "a", "f", "q", 1000, "1"))
	for _, id := range []string{backup, "copy"} {
		_ = f.admin.DeleteBackup(f.ctx, cluster, id)
	}
	_ = f.admin.DeleteTable(f.ctx, "backups_restored")
	holds := func(ctx context.Context, name string, expected ...string) error {
		found, err := read(ctx, f.client.Open(name), bigtable.InfiniteRange(""))
		if err != nil {
			return err
		}
		return equal(found, expected)
	}
	listed := func(ctx context.Context) ([]string, error) {
		found := []string{}
		all := f.admin.Backups(ctx, cluster)
		for {
			backup, err := all.Next()
			if errors.Is(err, iterator.Done) {
				return found, nil
			}
			if err != nil {
				return nil, err
			}
			found = append(found, backup.Name)
		}
	}

	f.step("a backup is made, described and listed", func(ctx context.Context) error {
		if err := f.admin.CreateBackup(ctx, name, cluster, backup, week); err != nil {
			return err
		}
		info, err := f.admin.BackupInfo(ctx, cluster, backup)
		if err != nil {
			return err
		}
		if err := equal(info.SourceTable+" "+info.State, name+" READY"); err != nil {
			return err
		}
		found, err := listed(ctx)
		if err != nil {
			return err
		}
		return equal(found, []string{backup})
	})
	f.step("a backup that exists is not made", func(ctx context.Context) error {
		return fails(f.admin.CreateBackup(ctx, name, cluster, backup, week), codes.AlreadyExists, "")
	})
	f.step("a backup that expires too soon is refused", func(ctx context.Context) error {
		soon := time.Now().Add(time.Hour)
		return fails(f.admin.CreateBackup(ctx, name, cluster, "soon", soon), codes.InvalidArgument, "")
	})
	f.step("a backup becomes a new table", func(ctx context.Context) error {
		if err := put(ctx, table, "b", "f", "q", 1000, "2"); err != nil {
			return err
		}
		if err := f.admin.RestoreTable(ctx, "backups_restored", cluster, backup); err != nil {
			return err
		}
		return holds(ctx, "backups_restored", "a f:q@1000=1")
	})
	f.step("a backup is copied", func(ctx context.Context) error {
		if err := f.admin.CopyBackup(ctx, cluster, backup, "interop", "go", cluster, "copy", week); err != nil {
			return err
		}
		info, err := f.admin.BackupInfo(ctx, cluster, "copy")
		if err != nil {
			return err
		}
		return equal(info.SourceBackup != "", true)
	})
	f.step("the expiry of a backup is changed", func(ctx context.Context) error {
		later := week.Add(7 * day)
		if err := f.admin.UpdateBackup(ctx, cluster, backup, later); err != nil {
			return err
		}
		info, err := f.admin.BackupInfo(ctx, cluster, backup)
		if err != nil {
			return err
		}
		return equal(info.ExpireTime.UnixMilli(), later.UnixMilli())
	})
	f.step("a backup is deleted", func(ctx context.Context) error {
		if err := f.admin.DeleteBackup(ctx, cluster, backup); err != nil {
			return err
		}
		_, err := f.admin.BackupInfo(ctx, cluster, backup)
		return fails(err, codes.NotFound, "")
	})
	f.step("a protected table is not deleted", func(ctx context.Context) error {
		if err := f.admin.UpdateTableWithDeletionProtection(ctx, name, bigtable.Protected); err != nil {
			return err
		}
		if err := f.admin.DeleteTable(ctx, name); err == nil {
			return errors.New("expected an error; got none")
		}
		return f.admin.UpdateTableWithDeletionProtection(ctx, name, bigtable.Unprotected)
	})
}
