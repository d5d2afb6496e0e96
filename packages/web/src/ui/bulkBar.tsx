import { useRef, useState } from "react";
import { Button } from "@mantine/core";
import { IconX } from "@tabler/icons-react";
import { useText, type Translate } from "#core/i18n.ts";
import { problemMessage } from "#core/messages.ts";
import { asProblem } from "#core/problem.ts";
import { showToast } from "#core/toasts.ts";
import { type BulkAction, type BulkOutcome, refusalsByReason } from "./listBulk.ts";
import { Confirm } from "./confirm.tsx";
import { keepFocus } from "./focus.ts";
import classes from "./bulkBar.module.css";

export interface BulkBarProps<Row> {
  /** The selected rows, in the order of the list. */
  readonly rows: readonly Row[];
  /** How many there are in all, also those that are not loaded; null where that is not known. */
  readonly total: number | null;
  readonly actions: readonly BulkAction<Row>[];
  nameOf(row: Row): string;
  /** Something was done: the list is read again. */
  onChanged(): void;
  onClear(): void;
}

/** From this number on, the progress is shown. */
const MANY = 10;

const first = (selector: string) => document.querySelector<HTMLElement>(selector);

/** The row that the keyboard reaches, or the page. */
const inList = () => first("main [role=grid] [tabindex='0']") ?? first("main");

/** How many rows are selected, and what can be done with them. Loaded when the first one is selected. */
export default function BulkBar<Row>({ rows, total, actions, nameOf, onChanged, onClear }: BulkBarProps<Row>) {
  const { t } = useText();
  const [busy, setBusy] = useState<{ readonly id: string; readonly handled: number; readonly count: number } | null>(null);
  const [askedId, setAskedId] = useState<string | null>(null);
  const concerned = ({ concerns }: BulkAction<Row>) => (concerns ? rows.filter((row) => concerns(row)) : rows);

  const bar = useRef<HTMLDivElement>(null);
  /** The bar, or the list where nothing is selected any more. */
  const toList = () => (bar.current?.isConnected ? bar.current : inList());

  const run = async (action: BulkAction<Row>) => {
    const all = concerned(action);
    const progress = (handled: number) => setBusy({ id: action.id, handled, count: all.length });
    if (action.asks !== true) progress(0);
    const outcome = await action.run(all, progress);
    setBusy(null);
    if (outcome.why !== undefined) showToast({ tone: "warning", title: outcome.why });
    report(t, outcome, nameOf);
    const same = all.length - outcome.done.length - outcome.refused.length;
    if (outcome.done.length > 0) said(t, action, { done: outcome.done, same }, nameOf, onChanged, toList);
    if (action.changes !== false) onChanged();
    if (action.changes !== false && outcome.refused.length === 0) onClear();
    keepFocus(toList);
  };
  const begin = (action: BulkAction<Row>) => {
    if (action.question) setAskedId(action.id);
    else void run(action);
  };
  // Asked with the texts and the rows of now: the language may change, and rows may go meanwhile.
  const asked = actions.find(({ id }) => id === askedId);
  const question = asked?.question?.(concerned(asked).length);

  return (
    <div ref={bar} className={classes["bar"]} role="group" tabIndex={-1} aria-label={t("web.bulk.label")}>
      <strong>
        {total === null ? t("web.select.count", { count: rows.length }) : t("web.select.countOf", { count: rows.length, total })}
      </strong>
      {actions.map((action) => {
        const count = concerned(action).length;
        const mine = busy?.id === action.id;
        return (
          <Button
            key={action.id}
            size="compact-sm"
            variant="default"
            leftSection={<action.icon size={14} />}
            loading={mine}
            disabled={count === 0 || (busy !== null && !mine)}
            onClick={() => begin(action)}
          >
            {count === rows.length ? action.label : t("web.bulk.some", { action: action.label, count })}
          </Button>
        );
      })}
      {busy !== null && busy.count >= MANY && (
        <span className={classes["progress"]}>
          <progress value={busy.handled} max={busy.count} aria-label={t("web.bulk.progress")} />
          {t("web.bulk.handled", { handled: busy.handled, count: busy.count })}
        </span>
      )}
      <Button size="compact-sm" variant="subtle" color="gray" leftSection={<IconX size={14} aria-hidden />} onClick={onClear}>
        {t("web.select.none")}
      </Button>
      {asked && question && <Confirm question={question} onYes={() => void run(asked)} onClose={() => setAskedId(null)} />}
    </div>
  );
}

/** Says what was done, with the way back where there is one. */
function said<Row>(
  t: Translate,
  action: BulkAction<Row>,
  { done, same }: { readonly done: readonly Row[]; readonly same: number },
  nameOf: (row: Row) => string,
  onChanged: () => void,
  toList: () => HTMLElement | null,
): void {
  const { undo } = action;
  const back = async () => {
    if (!undo) return;
    const outcome = await undo(done, () => undefined);
    if (outcome.done.length > 0) showToast({ tone: "success", title: t("web.bulk.undone") });
    report(t, outcome, nameOf);
    onChanged();
    keepFocus(toList);
  };
  showToast({
    tone: "success",
    title: action.said(done.length, same),
    ...(undo ? { action: { label: t("web.undo"), run: () => void back() } } : {}),
  });
}

/** Names the rows that could not be changed, and why. */
function report<Row>(t: Translate, { done, refused }: BulkOutcome<Row>, nameOf: (row: Row) => string): void {
  if (refused.length === 0) return;
  const reasons = refusalsByReason(refused, nameOf, (error) => problemMessage(t, asProblem(error)));
  const text = reasons.map(({ reason, names, others }) => {
    const all = others === 0 ? names.join(", ") : t("web.namesAndMore", { names: names.join(", "), count: others });
    return `${all}: ${reason}`;
  });
  showToast({
    tone: "warning",
    title: t("web.bulk.refused", { refused: refused.length, count: done.length + refused.length }),
    text: text.join(" "),
    shownFor: 15_000,
  });
}
