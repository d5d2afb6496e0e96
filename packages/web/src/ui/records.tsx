import { useMemo, useRef, type ReactNode } from "react";
import { useMatches, useNavigate } from "@tanstack/react-router";
import { Button } from "@mantine/core";
import { useText } from "#core/i18n.ts";
import { useShortcuts } from "#core/keyboard.ts";
import { part } from "#core/part.ts";
import { filtersOf, isFiltered, type ListAddress, stringifySearch } from "#core/search.ts";
import { DataGrid } from "./grid.tsx";
import type { Column, GridHandle } from "./grid.types.ts";
import { ListPage, SearchBar } from "./list.tsx";
import { useLatest } from "./latest.ts";
import { FilterChips } from "./listChips.tsx";
import { hiddenColumns, hideOf, optionalOf, useHiddenColumns } from "./listColumns.ts";
import type { FieldsProps } from "./listFields.tsx";
import { type Filter, type FilterValues, withFilter, withoutFilters } from "./listFilters.ts";
import type { ListOrders } from "./listOrder.ts";
import { useChips, useSelection } from "./records.hooks.ts";
import { type Bulk, SelectionBar } from "./selectionBar.tsx";
import { EmptyState, ProblemNote } from "./states.tsx";

/** The id of the record that is open beside the list, from the end of the address; null for none. */
export function useOpened(): number | null {
  const id = (useMatches().at(-1)?.params as { id?: string } | undefined)?.id;
  return id !== undefined && /^\d+$/.test(id) ? Number(id) : null;
}

/** A list that is read page by page. */
interface Paged {
  readonly isPending: boolean;
  readonly isError: boolean;
  readonly error: unknown;
  readonly isFetching: boolean;
  readonly hasNextPage: boolean;
  readonly isFetchingNextPage: boolean;
  refetch(): unknown;
  fetchNextPage(): unknown;
}

// Most lists are only searched.
const FilterFields = part<FieldsProps>([], async () => ({ default: (await import("./listFields.tsx")).FilterFields }));

type Icon = Parameters<typeof EmptyState>[0]["icon"];

/** Shown instead of rows. */
interface Nothing {
  readonly icon: Icon;
  readonly title: string;
  readonly text: string;
  readonly action?: ReactNode;
}

/** The address of a list: `q` is its search text. */
export interface RecordsSearch extends ListAddress {
  readonly q?: string;
}

export interface RecordsProps<Row extends { readonly id: number }, Search extends RecordsSearch> {
  readonly title: string;
  /** Path of the list, as `/citizens`; its records are at `/citizens/<id>`. */
  readonly path: string;
  readonly search: Search;
  /** Id of the record that is open beside the list. */
  readonly selected: number | null;
  readonly query: Paged;
  readonly rows: readonly Row[];
  /** Which rows are on screen, by index: a list with live changes reads only those again. */
  onShown?(first: number, last: number): void;
  readonly columns: readonly Column<Row>[];
  /** The orders that the server offers; left out where there is only one. */
  readonly orders?: ListOrders;
  /** The server puts the best matches of this search first. */
  readonly ranked?: boolean;
  /** Changes when live data changed the row. */
  rowVersion(row: Row): number;
  /** Two short lines instead of columns on a narrow screen. */
  narrow(row: Row): readonly [first: ReactNode, second: ReactNode];
  /** There are no records, without any filter. */
  readonly empty: Nothing;
  /** No record matches the filters. */
  readonly unmatched: Nothing;
  /** The number of records as text; shown once it is known. */
  readonly count: string;
  /** The same as a number; left out where it is counted up to a limit only. */
  readonly total?: number;
  /** Label of the search box. */
  readonly searchLabel: string;
  /** Further filters: fields below the search box, and chips above the rows. */
  readonly filters: readonly Filter[];
  /** Left out where nothing can be done with several rows. */
  readonly bulk?: Bulk<Row>;
  /** Further actions beside the filters. */
  readonly beside?: ReactNode;
  /** Where a row leads, null for nowhere; left out where rows are records that open beside the list. */
  address?(row: Row): string | null;
  /** Between filters and rows. */
  readonly above?: ReactNode;
  /** In place of the rows, where there is a reason to show none. */
  readonly instead?: ReactNode;
}

/**
 * A list with its filters, order and columns, which are in the address with the scroll position; j, k and Enter move
 * through its rows, and Space selects them.
 */
export function Records<Row extends { readonly id: number }, Search extends RecordsSearch>(props: RecordsProps<Row, Search>) {
  const { t } = useText();
  const { title, path, search, selected, query, rows, filters, orders, ranked = false, bulk, address } = props;
  const navigate = useNavigate();
  const grid = useRef<GridHandle>(null);
  const here = selected === null ? path : `${path}/${selected}`;
  const values: FilterValues = Object.fromEntries(Object.entries(search));
  const { top = "0", order: chosen, hide } = search;
  const optional = useMemo(() => optionalOf(props.columns), [props.columns]);
  const columns = useHiddenColumns(path, optional);
  const hidden = useMemo(() => hiddenColumns(hide, columns.chosen, optional), [hide, columns.chosen, optional]);
  const chips = useChips(filters, values);
  const rowsKey = JSON.stringify(filtersOf(search));
  const selection = useSelection(
    rowsKey,
    rows.map(({ id }) => id),
    bulk !== undefined,
  );

  const change = (next: object) => void navigate({ to: here, search: next, replace: true });
  const without = (name: keyof ListAddress) =>
    Object.fromEntries(Object.entries(search).filter(([one]) => one !== name && one !== "top"));
  const put = (id: string, value: string) => change(withFilter(search, filters, id, value));
  const open = (row: Row) => {
    if (!address) return void navigate({ to: `${path}/${row.id}`, search, replace: selected !== null });
    const to = address(row);
    if (to !== null) void navigate({ to });
  };
  const clear = () => change(withoutFilters(search));
  const { onHidden, onOrder } = useLatest({
    onHidden(next: readonly string[]) {
      // The columns of a view or a link are changed there, and the person's own stay.
      if (hide === undefined) columns.choose(next);
      else change({ ...search, hide: hideOf(next) });
    },
    onOrder: (next: string | undefined) => change({ ...without("order"), ...(next ? { order: next } : {}) }),
  });
  const choice = useMemo(() => ({ hidden, onHidden }), [hidden, onHidden]);
  const sort = useMemo(() => (orders ? { orders, chosen, ranked, onOrder } : null), [orders, chosen, ranked, onOrder]);
  useShortcuts([
    { keys: "j", label: "web.keys.next", group: "page", run: () => grid.current?.move(1) },
    { keys: "k", label: "web.keys.previous", group: "page", run: () => grid.current?.move(-1) },
    { keys: "Enter", label: "web.keys.open", group: "page" },
  ]);

  const counted = <span>{query.isPending ? "" : props.count}</span>;
  const clearButton = (
    <Button variant="default" onClick={clear}>
      {t("web.filter.clear")}
    </Button>
  );

  return (
    <ListPage
      title={title}
      search={
        <SearchBar
          label={props.searchLabel}
          query={search.q ?? ""}
          onQuery={(text) => put("q", text)}
          set={chips.length}
          onInto={() => grid.current?.move(0)}
          fields={
            filters.some(({ kind }) => kind !== "link") ? <FilterFields filters={filters} values={values} onPut={put} /> : null
          }
        />
      }
      beside={props.beside}
      chips={<FilterChips chips={chips} onRemove={(id) => put(id, "")} onClear={clear} />}
    >
      {props.above}
      {query.isError && <ProblemNote error={query.error} onRetry={() => void query.refetch()} retrying={query.isFetching} />}
      {props.instead}
      {!(query.isError && rows.length === 0) && !props.instead && (
        <DataGrid
          label={title}
          columns={props.columns}
          choice={choice}
          sort={sort}
          selection={bulk ? { selection: selection.selection, onChange: selection.change } : null}
          rowsKey={rowsKey}
          rows={rows}
          rowKey={(row) => row.id}
          rowVersion={props.rowVersion}
          href={(row) => (address ? address(row) : `${path}/${row.id}${stringifySearch({ ...values })}`)}
          onOpen={open}
          narrow={props.narrow}
          opened={selected}
          loading={query.isPending}
          empty={isFiltered(search) ? <EmptyState action={clearButton} {...props.unmatched} /> : <EmptyState {...props.empty} />}
          more={query.hasNextPage}
          onMore={() => {
            if (!query.isFetchingNextPage) query.fetchNextPage();
          }}
          startAt={Number(top)}
          onShown={(first, last) => props.onShown?.(first, last)}
          onTop={(row) => change({ ...without("top"), ...(row > 0 ? { top: String(row) } : {}) })}
          footer={
            <>
              {bulk ? (
                <SelectionBar
                  bulk={bulk}
                  rows={rows}
                  selection={selection}
                  total={props.total ?? null}
                  onChanged={() => void query.refetch()}
                >
                  {counted}
                </SelectionBar>
              ) : (
                counted
              )}
              <span>{query.isFetchingNextPage ? t("web.loadingMore") : ""}</span>
            </>
          }
          handle={grid}
        />
      )}
    </ListPage>
  );
}
