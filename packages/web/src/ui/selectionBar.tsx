import type { ReactNode } from "react";
import { useText } from "#core/i18n.ts";
import { part } from "#core/part.ts";
import type { BulkBarProps } from "./bulkBar.tsx";
import type { BulkAction } from "./listBulk.ts";
import { extendedTo, toggled } from "./listSelection.ts";
import type { ListSelection } from "./records.hooks.ts";
import classes from "./selectionBar.module.css";

// What is loaded later has no type parameter: the rows are those of the list that passes them, with its own actions.
const BulkBar = part<BulkBarProps<never>>([], () => import("./bulkBar.tsx"));

/** What can be done with several rows. */
export interface Bulk<Row> {
  readonly actions: readonly BulkAction<Row>[];
  /** Names a row in messages. */
  nameOf(row: Row): string;
}

interface SelectionBarProps<Row extends { readonly id: number }> {
  readonly bulk: Bulk<Row>;
  readonly rows: readonly Row[];
  readonly selection: ListSelection;
  /** How many there are in all, also those that are not loaded; null where that is not known. */
  readonly total: number | null;
  /** Something was done: the list is read again. */
  onChanged(): void;
  /** While nothing is selected. */
  readonly children?: ReactNode;
}

/** How many rows are selected and what can be done with them, also for screen readers. */
export function SelectionBar<Row extends { readonly id: number }>(props: SelectionBarProps<Row>) {
  const { t } = useText();
  const { bulk, rows, selection, total, onChanged, children } = props;
  const chosen = rows.filter(({ id }) => selection.selection.ids.has(id));
  const count = chosen.length;
  const bar: BulkBarProps<Row> = {
    rows: chosen,
    total,
    actions: bulk.actions,
    nameOf: (row) => bulk.nameOf(row),
    onChanged,
    onClear: selection.clear,
  };
  return (
    <>
      {selection.any ? <BulkBar {...(bar as unknown as BulkBarProps<never>)} /> : children}
      <span className="rc-hidden" role="status">
        {selection.any && (total === null ? t("web.select.count", { count }) : t("web.select.countOf", { count, total }))}
      </span>
    </>
  );
}

interface RowCheckProps {
  readonly id: number;
  readonly name: string;
  /** Ids of the loaded rows, in their order. */
  readonly order: readonly number[];
  readonly selection: ListSelection;
}

/** The checkbox of a row of a list that is no table. With Shift it selects all rows up to this one. */
export function RowCheck({ id, name, order, selection: of }: RowCheckProps) {
  const { t } = useText();
  return (
    <span className={classes["check"]} data-picking={of.any || undefined}>
      <input
        type="checkbox"
        aria-label={t("web.select.named", { name })}
        checked={of.selection.ids.has(id)}
        onClick={({ shiftKey }) => of.change(shiftKey ? extendedTo(of.selection, order, id) : toggled(of.selection, id))}
        readOnly
      />
    </span>
  );
}

/** Around the bar of a list that is no table: it stays in view while the list scrolls, and covers none of its end. */
export function FloatingBar({ children, shown }: { readonly children: ReactNode; readonly shown: boolean }) {
  return <div className={shown ? classes["floating"] : undefined}>{children}</div>;
}
