import { useRef, type ComponentType, type ReactNode } from "react";
import { useMatches, useNavigate } from "@tanstack/react-router";
import { Button } from "@mantine/core";
import { useText } from "#core/i18n.ts";
import { useShortcuts } from "#core/keyboard.ts";
import { stringifySearch } from "#core/search.ts";
import { DataGrid } from "./grid.tsx";
import type { Column, GridHandle } from "./grid.types.ts";
import { ListPage } from "./list.tsx";
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

type Icon = Parameters<typeof EmptyState>[0]["icon"];

/** Shown instead of rows. */
interface Nothing {
  readonly icon: Icon;
  readonly title: string;
  readonly text: string;
  readonly action?: ReactNode;
}

export interface FiltersProps<Search> {
  readonly search: Search;
  onChange(next: Search): void;
  /** Moves the focus from the filters into the rows. */
  onInto(): void;
}

export interface RecordsProps<Row extends { readonly id: number }, Search extends { readonly top?: string }> {
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
  readonly filters: ComponentType<FiltersProps<Search>>;
  /** Further actions beside the filters. */
  readonly beside?: ReactNode;
  /** Between filters and rows. */
  readonly above?: ReactNode;
}

/** A list with its filters, which keeps filters and scroll position in the address; j, k and Enter move through its rows. */
export function Records<Row extends { readonly id: number }, Search extends { readonly top?: string }>(
  props: RecordsProps<Row, Search>,
) {
  const { t } = useText();
  const { title, path, search, selected, query, rows } = props;
  const { top = "0", ...filters } = search;
  const navigate = useNavigate();
  const grid = useRef<GridHandle>(null);
  const here = selected === null ? path : `${path}/${selected}`;

  const change = (next: Search) => void navigate({ to: here, search: next, replace: true });
  const open = (id: number) => void navigate({ to: `${path}/${id}`, search, replace: selected !== null });
  useShortcuts([
    { keys: "j", label: "web.keys.next", group: "page", run: () => grid.current?.move(1) },
    { keys: "k", label: "web.keys.previous", group: "page", run: () => grid.current?.move(-1) },
    { keys: "Enter", label: "web.keys.open", group: "page" },
  ]);

  const clear = (
    <Button variant="default" onClick={() => change({} as Search)}>
      {t("web.filter.clear")}
    </Button>
  );
  const filtered = Object.keys(filters).length > 0;

  return (
    <ListPage
      title={title}
      filters={<props.filters search={search} onChange={change} onInto={() => grid.current?.move(0)} />}
      beside={props.beside}
    >
      {props.above}
      {query.isError && <ProblemNote error={query.error} onRetry={() => void query.refetch()} retrying={query.isFetching} />}
      {!(query.isError && rows.length === 0) && (
        <DataGrid
          key={JSON.stringify(filters)}
          label={title}
          columns={props.columns}
          rows={rows}
          rowKey={(row) => row.id}
          rowVersion={props.rowVersion}
          href={(row) => `${path}/${row.id}${stringifySearch({ ...search })}`}
          onOpen={(row) => open(row.id)}
          narrow={props.narrow}
          selected={selected}
          loading={query.isPending}
          empty={filtered ? <EmptyState action={clear} {...props.unmatched} /> : <EmptyState {...props.empty} />}
          more={query.hasNextPage}
          onMore={() => {
            if (!query.isFetchingNextPage) query.fetchNextPage();
          }}
          startAt={Number(top)}
          onShown={(first, last) => props.onShown?.(first, last)}
          onTop={(row) => change({ ...filters, ...(row > 0 ? { top: String(row) } : {}) } as Search)}
          footer={
            <>
              <span>{query.isPending ? "" : props.count}</span>
              <span>{query.isFetchingNextPage ? t("web.loadingMore") : ""}</span>
            </>
          }
          handle={grid}
        />
      )}
    </ListPage>
  );
}
