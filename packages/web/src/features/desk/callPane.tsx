import { type KeyboardEvent, memo, useState } from "react";
import { Button } from "@mantine/core";
import { IconPhoneCall, IconPhonePlus } from "@tabler/icons-react";
import { callsPermissions } from "@rollcall/server/contract/calls";
import { useAbilities } from "#core/abilities.ts";
import { useText } from "#core/i18n.ts";
import { shortAge } from "#core/time.ts";
import { AlertCount, type Call, PriorityMark, StormRows, TypeTag } from "#features/calls/calls.api.ts";
import { useServerNow } from "#ui/small.tsx";
import { EmptyState } from "#ui/states.tsx";
import type { DeskActions } from "./actions.ts";
import { Age, AgeBar, Ages } from "./ages.tsx";
import { dragSource, dropTarget } from "./drag.ts";
import { heldRows, waited, waitingOf } from "./order.ts";
import { Frame } from "./frame.tsx";
import { WindowedList } from "./windowed.tsx";
import classes from "./desk.module.css";

interface Props {
  /** All present ones of the job. */
  readonly calls: readonly Call[];
  /** The open ones of them, in their order. */
  readonly open: readonly Call[];
  readonly waitSeconds: number;
  readonly selected: number | null;
  readonly actions: DeskActions;
  /** Who pressed for a panic, by its call. */
  readonly pressed: ReadonlyMap<number, string>;
  /** What there is while nothing is open. */
  readonly quiet: string;
}

/** Keeps rows in their order while the pointer is over them. */
function useHeldRows(calls: readonly Call[], rows: readonly Call[]) {
  const [held, setHeld] = useState<readonly number[] | null>(null);
  const shown = heldRows(rows, held, calls);
  // Without rows there is no list that says that the pointer is gone.
  if (held !== null && shown.length === 0) setHeld(null);
  return {
    shown,
    waits: shown.some(({ id }, at) => id !== rows[at]?.id),
    hold: (over: boolean) => setHeld((before) => (over ? (before ?? rows.map(({ id }) => id)) : null)),
  };
}

/** Open calls, each on two lines. */
export function CallPane({ calls, open: rows, waitSeconds, selected, actions, pressed, quiet }: Props) {
  const { t } = useText();
  const now = useServerNow(1_000);
  const { shown, waits, hold } = useHeldRows(calls, rows);
  const waiting = waitingOf(rows);
  const mayCall = useAbilities().has(callsPermissions.create);
  const head =
    waiting.since === null
      ? t("desk.calls.count", { count: rows.length })
      : t("desk.calls.waiting", { count: rows.length, waiting: waiting.count, oldest: shortAge(now - waiting.since) });
  const move = (event: KeyboardEvent<HTMLElement>) => {
    const list = [...event.currentTarget.querySelectorAll<HTMLElement>("[data-call]")];
    const at = list.findIndex((one) => one === document.activeElement);
    const step = { ArrowDown: 1, j: 1, ArrowUp: -1, k: -1 }[event.key];
    if (step === undefined || at < 0) return;
    event.preventDefault();
    event.stopPropagation();
    list[Math.min(list.length - 1, Math.max(0, at + step))]!.focus();
  };
  if (shown.length === 0)
    return (
      <Frame title={t("desk.calls.title")} head={t("desk.calls.none")}>
        <StormRows />
        <EmptyState
          icon={IconPhoneCall}
          title={t("desk.calls.empty.title")}
          text={`${t("desk.calls.empty.text")} ${quiet}`}
          action={
            mayCall && (
              <Button leftSection={<IconPhonePlus size={16} aria-hidden />} aria-haspopup="dialog" onClick={actions.newCall}>
                {t("desk.calls.new")}
              </Button>
            )
          }
        />
      </Frame>
    );
  return (
    <Frame title={t("desk.calls.title")} head={waits ? `${head} · ${t("desk.calls.held")}` : head}>
      <StormRows />
      <Ages every={1_000}>
        <WindowedList
          label={t("desk.calls.title")}
          count={shown.length}
          height={58}
          pane="calls"
          onKeyDown={move}
          onPointer={hold}
          keyOf={(at) => shown[at]!.id}
        >
          {(at) => {
            const call = shown[at]!;
            return (
              <CallRow
                {...{ call, waitSeconds, actions }}
                isLate={waited(call.waitingSince, waitSeconds, now) === 1}
                isOpen={call.id === selected}
                presser={pressed.get(call.id) ?? null}
              />
            );
          }}
        </WindowedList>
      </Ages>
    </Frame>
  );
}

interface RowProps {
  readonly call: Call;
  /** It has waited for as long as it may. */
  readonly isLate: boolean;
  readonly waitSeconds: number;
  readonly isOpen: boolean;
  readonly presser: string | null;
  readonly actions: DeskActions;
}

const CallRow = memo(PlainCallRow);

function PlainCallRow({ call, isLate, waitSeconds, isOpen, presser, actions }: RowProps) {
  const { t } = useText();
  const [over, setOver] = useState(false);
  const { id, postal, message, waitingSince, progress, work } = call;
  const may = work.includes("offer");
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== "o" || !may) return;
    event.preventDefault();
    actions.ask(call);
  };
  return (
    <div
      className={classes["call"]}
      data-over={over || undefined}
      data-open={isOpen || undefined}
      data-late={isLate || undefined}
      data-panic={call.kind === "panic" || undefined}
      data-ended={call.state !== "open" || undefined}
      {...dragSource({ kind: "call", id }, `DSP-${id}`)}
      {...(may ? dropTarget("unit", setOver, (unit) => actions.assign(id, unit)) : {})}
    >
      <button
        type="button"
        className={classes["row"]}
        data-call={id}
        aria-pressed={isOpen}
        title={call.kind === "panic" ? t("desk.calls.panic") : message}
        onKeyDown={onKeyDown}
        // A second Enter on the open call asks for units.
        onClick={() => (isOpen && may ? actions.ask(call) : actions.open(id))}
      >
        <span className={classes["first"]}>
          <PriorityMark priority={call.priority} />
          <span className="rc-number">#{id}</span>
          <AlertCount alerts={call.alerts} />
          <span className={classes["grow"]}>
            <CallName {...{ call, presser }} />
          </span>
          {postal !== null && <span>{postal}</span>}
          <Age since={waitingSince} />
        </span>
        <span className={classes["second"]}>
          <CallWork call={call} />
          {isOpen && may && <span className={classes["key"]}>{t("desk.calls.again")}</span>}
        </span>
        {progress === "waiting" && <AgeBar since={waitingSince} waitSeconds={waitSeconds} />}
      </button>
    </div>
  );
}

function CallName({ call: { kind, type, message }, presser }: Pick<RowProps, "call" | "presser">) {
  const { t } = useText();
  if (kind === "panic")
    return (
      <>
        <strong className={classes["panic"]}>{t("desk.calls.panic")}</strong> {presser}
      </>
    );
  return type === null ? message : <TypeTag type={type} />;
}

/** Who works on a call and how far, or that it waits. */
function CallWork({ call: { state, kind, units, progress, message } }: { readonly call: Call }) {
  const { t } = useText();
  if (state !== "open") return <span className={classes["grow"]}>{t("desk.calls.ended")}</span>;
  if (units.length === 0)
    return (
      <span className={classes["grow"]}>
        {progress === "waiting" ? t("desk.calls.waits") : ""}{" "}
        {kind !== "panic" && <span className={classes["quiet"]}>{message}</span>}
      </span>
    );
  return (
    <span className={classes["grow"]}>
      {units.map(({ id, unit, state: far, needsHelp }) => (
        <span key={id} className={classes["on"]} data-help={needsHelp || undefined}>
          {unit.callsign ?? unit.name} {t(needsHelp ? "desk.progress.needsHelp" : `desk.progress.${far}`)}
        </span>
      ))}
    </span>
  );
}
