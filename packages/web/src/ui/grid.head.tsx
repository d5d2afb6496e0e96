import { memo, useRef, useState } from "react";
import { ActionIcon, UnstyledButton } from "@mantine/core";
import { IconArrowDown, IconArrowUp, IconColumns3 } from "@tabler/icons-react";
import { useText } from "#core/i18n.ts";
import { part } from "#core/part.ts";
import type { Column, GridColumns, GridSort } from "./grid.types.ts";
import type { ColumnMenuProps } from "./columnMenu.tsx";
import { directionOf, nameOfOrder, nextOrder, orderInEffect } from "./listOrder.ts";
import classes from "./grid.module.css";

const ColumnMenu = part<ColumnMenuProps>([], () => import("./columnMenu.tsx"));

const ARROWS = { ascending: IconArrowUp, descending: IconArrowDown } as const;

interface HeadProps<T> {
  readonly columns: readonly Column<T>[];
  readonly tracks: string;
  readonly sort: GridSort | null;
  /** How many rows are selected; null where rows cannot be. */
  readonly selected: number | null;
  /** How many are loaded. */
  readonly count: number;
  /** Selects all loaded rows, or none. */
  onAll(all: boolean): void;
  /** There are no columns to sort by: rows are cards. */
  readonly narrow: boolean;
}

function PlainHead<T>({ columns, tracks, sort, narrow, selected, count, onAll }: HeadProps<T>) {
  const inEffect = sort && orderInEffect(sort.chosen, sort.orders, sort.ranked);
  return (
    <div className={classes["head"]} role="row" aria-rowindex={1} style={{ gridTemplateColumns: tracks }}>
      {selected !== null && <SelectAll selected={selected} count={count} onAll={onAll} narrow={narrow} />}
      {columns.map(({ id, header, order: name, numeric }) => {
        const sorts = sort !== null && name !== undefined && !narrow;
        const direction = sorts ? directionOf(name, inEffect) : "none";
        return (
          <div
            key={id}
            role="columnheader"
            className={`${classes["cell"]} ${numeric ? classes["number"] : ""}`}
            {...(sorts ? { "aria-sort": direction } : {})}
          >
            {sorts ? <SortButton header={header} name={name} sort={sort} direction={direction} /> : header}
          </div>
        );
      })}
    </div>
  );
}

/** The headers, drawn again only when something in them changed. */
export const Head = memo(PlainHead) as typeof PlainHead;

interface SortButtonProps {
  readonly header: string;
  readonly name: string;
  readonly sort: GridSort;
  readonly direction: ReturnType<typeof directionOf>;
}

function SortButton({ header, name, sort, direction }: SortButtonProps) {
  const { t } = useText();
  const Arrow = direction === "none" ? null : ARROWS[direction];
  const next = nextOrder(sort.chosen, name, sort.orders, sort.ranked);
  const label =
    next === undefined
      ? t("web.sort.own")
      : t(next.startsWith("-") ? "web.sort.descending" : "web.sort.ascending", { column: header });
  return (
    <UnstyledButton className={classes["sort"] ?? ""} title={label} onClick={() => sort.onOrder(next)}>
      <span>{header}</span>
      {Arrow ? <Arrow size={13} aria-hidden /> : <span className={classes["noArrow"]} />}
    </UnstyledButton>
  );
}

type SelectAllProps = Pick<HeadProps<never>, "count" | "onAll" | "narrow"> & { readonly selected: number };

function SelectAll({ selected, count, narrow, onAll }: SelectAllProps) {
  const { t } = useText();
  const every = selected > 0 && selected === count;
  return (
    <div role="columnheader" className={classes["pick"]}>
      <input
        type="checkbox"
        aria-label={t("web.select.all")}
        checked={every}
        disabled={narrow || count === 0}
        ref={(input) => {
          if (input) input.indeterminate = selected > 0 && !every;
        }}
        onChange={() => onAll(!every)}
      />
    </div>
  );
}

/** The order of a list of cards, which has no headers. */
export function OrderSelect<T>({ columns, sort }: { columns: readonly Column<T>[]; sort: GridSort }) {
  const { t } = useText();
  const inEffect = orderInEffect(sort.chosen, sort.orders, sort.ranked);
  const offered = columns.filter(({ order }) => order !== undefined && sort.orders.names.includes(order));
  return (
    <div className={classes["order"]}>
      <label>
        {t("web.sort.label")}
        <select value={inEffect ?? ""} onChange={({ currentTarget: { value } }) => sort.onOrder(chosenOf(value, sort))}>
          {(sort.ranked || inEffect === null) && <option value="">{t("web.sort.best")}</option>}
          {inEffect !== null && !offered.some(({ order }) => order === nameOfOrder(inEffect)) && (
            <option value={inEffect}>{t("web.sort.own")}</option>
          )}
          {offered.flatMap(({ id, header, order }) => [
            <option key={id} value={order}>
              {t("web.sort.up", { column: header })}
            </option>,
            <option key={`-${id}`} value={`-${order}`}>
              {t("web.sort.down", { column: header })}
            </option>,
          ])}
        </select>
      </label>
    </div>
  );
}

const chosenOf = (value: string, { orders, ranked }: GridSort) =>
  value === "" || (value === orders.default && !ranked) ? undefined : value;

interface ColumnButtonProps<T> {
  readonly columns: readonly Column<T>[];
  readonly choice: GridColumns;
  /** Of the grid, in pixels. */
  readonly width: number;
}

/** Opens the choice of columns. */
export const ColumnButton = memo(PlainColumnButton) as typeof PlainColumnButton;

function PlainColumnButton<T>({ columns, choice, width }: ColumnButtonProps<T>) {
  const { t } = useText();
  const [opened, setOpened] = useState(false);
  const button = useRef<HTMLButtonElement>(null);
  return (
    <div className={classes["columns"]}>
      <ActionIcon
        ref={button}
        size="var(--target)"
        aria-label={t("web.columns.title")}
        title={t("web.columns.title")}
        aria-expanded={opened}
        aria-haspopup="dialog"
        onPointerEnter={() => void ColumnMenu.load()}
        onClick={() => setOpened(!opened)}
      >
        <IconColumns3 size={15} />
      </ActionIcon>
      {opened && (
        <ColumnMenu
          columns={columns}
          choice={choice}
          width={width}
          button={button}
          onClose={(back) => {
            setOpened(false);
            if (back) button.current?.focus();
          }}
        />
      )}
    </div>
  );
}
