// Authorized views: how they are made and changed, and what is read and written through them.
package main

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"cloud.google.com/go/bigtable"
	"google.golang.org/grpc/codes"
)

func viewSteps(f *fixture) {
	const table, view = "views", "of-team"
	f.table(table, "f", "g")
	_ = f.admin.DeleteAuthorizedView(f.ctx, table, view)
	subset := func() *bigtable.SubsetViewConf {
		subset := &bigtable.SubsetViewConf{}
		subset.AddRowPrefix([]byte("r1"))
		subset.AddRowPrefix([]byte("s"))
		subset.AddFamilySubsetQualifier("f", []byte("q"))
		subset.AddFamilySubsetQualifierPrefix("f", []byte("p"))
		return subset
	}
	conf := func(protection bigtable.DeletionProtection) bigtable.AuthorizedViewConf {
		return bigtable.AuthorizedViewConf{TableID: table, AuthorizedViewID: view, DeletionProtection: protection}
	}
	protect := func(ctx context.Context, protection bigtable.DeletionProtection) error {
		return f.admin.UpdateAuthorizedView(ctx, bigtable.UpdateAuthorizedViewConf{AuthorizedViewConf: conf(protection)})
	}
	of, all := f.client.OpenAuthorizedView(table, view), f.client.OpenTable(table)
	set := func(column string) *bigtable.Mutation {
		family, qualifier, _ := strings.Cut(column, ":")
		mutation := bigtable.NewMutation()
		mutation.Set(family, qualifier, 1000, []byte("1"))
		return mutation
	}
	must(all.Apply(f.ctx, "r2", set("f:q")))

	f.step("a view is created and listed", func(ctx context.Context) error {
		new := conf(bigtable.Protected)
		new.AuthorizedView = subset()
		if err := f.admin.CreateAuthorizedView(ctx, &new); err != nil {
			return err
		}
		found, err := f.admin.AuthorizedViews(ctx, table)
		if err != nil {
			return err
		}
		return equal(found, []string{view})
	})
	f.step("a view that exists is not created", func(ctx context.Context) error {
		new := conf(bigtable.Unprotected)
		new.AuthorizedView = subset()
		return fails(f.admin.CreateAuthorizedView(ctx, &new), codes.AlreadyExists, "")
	})
	f.step("a view is described", func(ctx context.Context) error {
		info, err := f.admin.AuthorizedViewInfo(ctx, table, view)
		if err != nil {
			return err
		}
		found, ok := info.AuthorizedView.(*bigtable.SubsetViewInfo)
		if !ok {
			return errors.New("expected what the view lets through; got nothing")
		}
		expected := subset()
		if err := equal(found.RowPrefixes, expected.RowPrefixes); err != nil {
			return err
		}
		if err := equal(found.FamilySubsets, expected.FamilySubsets); err != nil {
			return err
		}
		return equal(info.DeletionProtection, bigtable.Protected)
	})
	f.step("a protected view is not deleted, nor is its table", func(ctx context.Context) error {
		if err := fails(f.admin.DeleteAuthorizedView(ctx, table, view), codes.FailedPrecondition, ""); err != nil {
			return err
		}
		return fails(f.admin.DeleteTable(ctx, table), codes.FailedPrecondition, "")
	})
	f.step("the protection is removed, and the rest stays", func(ctx context.Context) error {
		if err := protect(ctx, bigtable.Unprotected); err != nil {
			return err
		}
		info, err := f.admin.AuthorizedViewInfo(ctx, table, view)
		if err != nil {
			return err
		}
		if err := equal(info.DeletionProtection, bigtable.Unprotected); err != nil {
			return err
		}
		return equal(info.AuthorizedView.(*bigtable.SubsetViewInfo).RowPrefixes, subset().RowPrefixes)
	})
	f.step("a row of the view is written and read", func(ctx context.Context) error {
		if err := of.Apply(ctx, "r1", set("f:q")); err != nil {
			return err
		}
		found, err := read(ctx, of, bigtable.InfiniteRange(""))
		if err != nil {
			return err
		}
		return equal(found, []string{"r1 f:q@1000=1"})
	})
	f.step("a row or a column outside is not written", func(ctx context.Context) error {
		if err := fails(of.Apply(ctx, "r2", set("f:q")), codes.PermissionDenied, ""); err != nil {
			return err
		}
		if err := fails(of.Apply(ctx, "r1", set("g:q")), codes.PermissionDenied, ""); err != nil {
			return err
		}
		whole := bigtable.NewMutation()
		whole.DeleteRow()
		return fails(of.Apply(ctx, "r1", whole), codes.PermissionDenied, "")
	})
	f.step("in a bulk, only the entries outside fail", func(ctx context.Context) error {
		rows := []string{"r1", "r2", "r1"}
		errs, err := of.ApplyBulk(ctx, rows, []*bigtable.Mutation{set("f:p1"), set("f:p1"), set("g:q")})
		if err != nil {
			return err
		}
		if len(errs) != 3 || errs[0] != nil {
			return errors.New("expected that the first entry is written")
		}
		for _, err := range errs[1:] {
			if err := fails(err, codes.PermissionDenied, ""); err != nil {
				return err
			}
		}
		return nil
	})
	f.step("a row or a column outside is not read", func(ctx context.Context) error {
		if err := all.Apply(ctx, "r1", set("g:q")); err != nil {
			return err
		}
		row, err := of.ReadRow(ctx, "r2")
		if err != nil {
			return err
		}
		if err := equal(len(row), 0); err != nil {
			return err
		}
		found, err := read(ctx, of, bigtable.InfiniteRange(""))
		if err != nil {
			return err
		}
		return equal(found, []string{"r1 f:p1@1000=1", "r1 f:q@1000=1"})
	})
	f.step("an append outside is refused", func(ctx context.Context) error {
		change := bigtable.NewReadModifyWrite()
		change.AppendValue("f", "q", []byte("1"))
		row, err := of.ApplyReadModifyWrite(ctx, "r1", change)
		if err != nil {
			return err
		}
		if err := equal(string(row["f"][0].Value), "11"); err != nil {
			return err
		}
		_, err = of.ApplyReadModifyWrite(ctx, "r2", change)
		return fails(err, codes.PermissionDenied, "")
	})
	f.step("a condition sees what the view lets through", func(ctx context.Context) error {
		met := true
		change := bigtable.NewCondMutation(bigtable.FamilyFilter("g"), set("f:q"), nil)
		if err := of.Apply(ctx, "r1", change, bigtable.GetCondMutationResult(&met)); err != nil {
			return err
		}
		if err := equal(met, false); err != nil {
			return err
		}
		outside := bigtable.NewCondMutation(bigtable.ColumnFilter("none"), set("g:q"), nil)
		return fails(of.Apply(ctx, "r1", outside), codes.PermissionDenied, "")
	})
	f.step("the samples of a view are within its rows", func(ctx context.Context) error {
		const split = "views_split"
		_ = f.admin.DeleteTable(ctx, split)
		if err := f.admin.CreatePresplitTable(ctx, split, []string{"r0", "r11", "r12", "r2"}); err != nil {
			return err
		}
		err := f.admin.CreateAuthorizedView(ctx, &bigtable.AuthorizedViewConf{
			TableID: split, AuthorizedViewID: view,
			AuthorizedView: &bigtable.SubsetViewConf{RowPrefixes: [][]byte{[]byte("r1")}},
		})
		if err != nil {
			return err
		}
		keys, err := f.client.OpenAuthorizedView(split, view).SampleRowKeys(ctx)
		if err != nil {
			return err
		}
		return equal(keys, []string{"r11", "r12", "r2"})
	})
	f.step("of 32 callers, the rows of the view are written and no others", func(ctx context.Context) error {
		done := make(chan error)
		for caller := range 32 {
			go func() {
				var err error
				for at := 0; at < 25 && err == nil; at++ {
					row := fmt.Sprintf("%02d-%02d", caller, at)
					if err = of.Apply(ctx, "s"+row, set("f:p1")); err == nil {
						err = fails(of.Apply(ctx, "t"+row, set("f:p1")), codes.PermissionDenied, "")
					}
				}
				done <- err
			}()
		}
		for range 32 {
			if err := <-done; err != nil {
				return err
			}
		}
		found, err := read(ctx, all, bigtable.InfiniteRange("s"))
		if err != nil {
			return err
		}
		through, err := read(ctx, of, bigtable.InfiniteRange("s"))
		if err != nil {
			return err
		}
		return equal([]int{len(found), len(through)}, []int{800, 800})
	})
	f.step("a view is deleted, and the rows of its table stay", func(ctx context.Context) error {
		if err := f.admin.DeleteAuthorizedView(ctx, table, view); err != nil {
			return err
		}
		_, err := of.ReadRow(ctx, "r1")
		if err := fails(err, codes.NotFound, ""); err != nil {
			return err
		}
		found, err := read(ctx, all, bigtable.NewRange("r2", "s"))
		if err != nil {
			return err
		}
		return equal(found, []string{"r2 f:q@1000=1"})
	})
}
