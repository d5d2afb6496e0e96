import type { RefObject } from "react";
import { Button, FocusTrap } from "@mantine/core";
import { useClickOutside, useWindowEvent } from "@mantine/hooks";
import { useText } from "#core/i18n.ts";
import type { Column, GridColumns } from "./grid.types.ts";
import { columnChoices, toggledColumn } from "./listColumns.ts";
import classes from "./columnMenu.module.css";

export interface ColumnMenuProps {
  readonly columns: readonly Pick<Column<never>, "id" | "header" | "from">[];
  readonly choice: GridColumns;
  /** Of the grid, in pixels. */
  readonly width: number;
  readonly button: RefObject<HTMLButtonElement | null>;
  /** `back` returns the focus to the button. */
  onClose(back: boolean): void;
}

/** Which columns a list shows. Loaded when it is opened. */
export default function ColumnMenu({ columns, choice, width, button, onClose }: ColumnMenuProps) {
  const { t } = useText();
  const { hidden, onHidden } = choice;
  const menu = useClickOutside<HTMLDivElement>((event) => {
    if (!button.current?.contains(event.target as Node)) onClose(false);
  });
  useWindowEvent("keydown", (event) => {
    if (event.key === "Escape") onClose(true);
  });
  return (
    <FocusTrap active>
      <div ref={menu} className={classes["menu"]} role="dialog" aria-label={t("web.columns.title")}>
        <fieldset>
          <legend>{t("web.columns.title")}</legend>
          {columnChoices(columns, hidden, width).map(({ id, header, state, fixed }) => (
            <label key={id}>
              <input
                type="checkbox"
                checked={state !== "hidden"}
                disabled={fixed}
                onChange={() => onHidden(toggledColumn(hidden, id))}
              />
              <span>{header}</span>
              {state === "narrow" && <span className={classes["quiet"]}>{t("web.columns.narrow")}</span>}
              {fixed && <span className={classes["quiet"]}>{t("web.columns.fixed")}</span>}
            </label>
          ))}
        </fieldset>
        <Button size="compact-sm" variant="default" disabled={hidden.length === 0} onClick={() => onHidden([])}>
          {t("web.columns.every")}
        </Button>
      </div>
    </FocusTrap>
  );
}
