import { type KeyboardEvent, useId, useRef, useState } from "react";
import { ActionIcon } from "@mantine/core";
import { useQueryClient } from "@tanstack/react-query";
import { IconHelp } from "@tabler/icons-react";
import { listUnits } from "@rollcall/server/contract/units";
import { useShortcuts } from "#core/keyboard.ts";
import { type Translate, useText } from "#core/i18n.ts";
import { problemMessage } from "#core/messages.ts";
import { part } from "#core/part.ts";
import { asProblem } from "#core/problem.ts";
import { readAgain } from "#features/assignments/assignments.api.ts";
import { type Known, parseLine, type Plan, whoIs } from "./command.ts";
import { completions } from "./complete.ts";
import { type Change, type Inverse, run } from "./run.ts";
import classes from "./line.module.css";

const Help = part<{ onClose(): void }>(["desk"], () => import("./lineHelp.tsx"));

/** Lines that the arrows bring back, and changes that `undo` takes back. */
const mostKept = 50;

interface Props {
  readonly known: Known;
  onOpen(call: number): void;
}

interface Done {
  readonly line: string;
  readonly inverse: Inverse;
}

/** What a plan does, in words. */
function willText(t: Translate, plan: Plan): string {
  const call = "call" in plan ? `#${plan.call.id}` : "";
  switch (plan.do) {
    case "assign": {
      const units = plan.units.map(({ name }) => name).join(", ");
      const progress = plan.progress === null ? "" : `, ${t(`desk.progress.${plan.progress}`)}`;
      return plan.ask ? t("desk.line.will.ask", { call, units }) : t("desk.line.will.assign", { call, units, progress });
    }
    case "remove":
      return t(plan.on.state === "offered" ? "desk.line.will.withdraw" : "desk.line.will.handBack", {
        call,
        unit: plan.on.unit.name,
      });
    case "progress":
      return t("desk.line.will.progress", { call, unit: plan.on.unit.name, state: t(`desk.progress.${plan.state}`) });
    case "status":
      return t("desk.line.will.status", { unit: plan.unit.name, status: plan.to.word });
    case "who":
      return t("desk.line.will.who", { text: plan.text });
    case "done":
    case "note":
    case "cancel":
    case "reopen":
    case "open":
      return t(`desk.line.will.${plan.do}`, { call });
    case "undo":
    case "help":
      return t(`desk.line.will.${plan.do}`);
  }
}

function whoText(t: Translate, text: string, known: Known): string {
  const { calls, units } = whoIs(text, known);
  if (calls.length === 0 && units.length === 0) return t("desk.line.who.nobody", { text });
  const said = [
    ...calls.map(({ id }) => `#${id}`),
    ...units.map(({ name, status }) => `${name} (${status.name ?? t(`desk.bases.${status.base}`)})`),
  ];
  return t("desk.line.who.found", { text, found: said.join(", ") });
}

/** Runs lines, keeps what was run, and says what became of it. */
function useLines({ known, onOpen }: Props, setHelp: (open: boolean) => void) {
  const { t } = useText();
  const queries = useQueryClient();
  const [said, setSaid] = useState<{ readonly text: string; readonly bad: boolean }>({ text: "", bad: false });
  const [done, setDone] = useState<readonly Done[]>([]);
  const [busy, setBusy] = useState(false);
  const say = (text: string, bad = false) => setSaid({ text, bad });
  /** Says what became of it once the panes show it: the next line may be about that. */
  const change = async (work: () => Promise<string>) => {
    setBusy(true);
    let [text, bad] = ["", false];
    try {
      text = await work();
    } catch (error) {
      [text, bad] = [problemMessage(t, asProblem(error)), true];
    }
    await Promise.all([readAgain(queries), queries.invalidateQueries({ queryKey: [listUnits.id] })]);
    say(text, bad);
    setBusy(false);
  };
  const undo = async () => {
    const last = done.at(-1);
    if (last === undefined) return say(t("desk.line.noUndo.nothing"), true);
    const { line, inverse } = last;
    if ("why" in inverse) return say(t(`desk.line.noUndo.${inverse.why}`, { line }), true);
    await change(async () => {
      await inverse.undo(t("desk.line.undone"));
      setDone((all) => all.slice(0, -1));
      return t("desk.line.tookBack", { line });
    });
  };
  const doIt = async (line: string, plan: Change) =>
    await change(async () => {
      const inverse = await run(plan);
      setDone((all) => [...all.slice(1 - mostKept), { line, inverse }]);
      return t("desk.line.done", { what: willText(t, plan) });
    });
  /** False where the line stays, because it says nothing that can be done. */
  const enter = async (line: string): Promise<boolean> => {
    const { plan, refusal } = parseLine(line, known);
    if (plan === null) {
      if (refusal.why !== "empty") say(t(`desk.line.refused.${refusal.why}`, { about: refusal.about }), true);
      return false;
    }
    if (plan.do === "open") onOpen(plan.call.id);
    else if (plan.do === "help") setHelp(true);
    else if (plan.do === "who") say(whoText(t, plan.text, known));
    else if (plan.do === "undo") await undo();
    else await doIt(line, plan);
    return true;
  };
  return { said, busy, enter, say };
}

/** One line that does what the panes do: what Enter would do stands beside it in grey. */
export function CommandLine(props: Props) {
  const { t } = useText();
  const { known } = props;
  const field = useRef<HTMLInputElement>(null);
  const [line, setLine] = useState("");
  const [help, setHelp] = useState(false);
  const [history, setHistory] = useState<readonly string[]>([]);
  const [at, setAt] = useState(0);
  const hint = useId();
  const { said, busy, enter, say } = useLines(props, setHelp);
  const { plan, refusal } = parseLine(line, known);
  const offered = completions(line, known);
  useShortcuts([{ keys: ":", label: "desk.keys.line", group: "page", run: () => field.current?.focus() }]);
  const send = async () => {
    if (busy || !(await enter(line))) return;
    setHistory((all) => [...all.filter((one) => one !== line), line].slice(-mostKept));
    type("");
  };
  const type = (text: string) => {
    setAt(0);
    setLine(text);
  };
  const recall = (step: number) => {
    const next = Math.min(history.length, Math.max(0, at + step));
    setAt(next);
    setLine(next === 0 ? "" : history[history.length - next]!);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const { key } = event;
    if (key === "Tab" && !event.shiftKey && offered.length > 0) setLine(`${offered[0]!.line} `);
    else if (key === "Enter") void send();
    else if (key === "ArrowUp") recall(1);
    else if (key === "ArrowDown") recall(-1);
    else if (key === "Escape" && line !== "") type("");
    else if (key === "Escape") field.current?.blur();
    else return;
    event.preventDefault();
    event.stopPropagation();
  };
  const would =
    plan === null
      ? line.trim() === ""
        ? ""
        : t(`desk.line.refused.${refusal.why}`, { about: refusal.about })
      : willText(t, plan);
  return (
    <div className={classes["line"]}>
      <label className={classes["prompt"]}>
        <span aria-hidden>&gt;</span>
        <input
          ref={field}
          value={line}
          placeholder={t("desk.line.placeholder")}
          aria-label={t("desk.line.label")}
          aria-describedby={hint}
          aria-busy={busy}
          autoComplete="off"
          spellCheck={false}
          data-command
          onChange={(event) => {
            type(event.currentTarget.value);
            say("");
          }}
          onKeyDown={onKeyDown}
        />
      </label>
      <span id={hint} className={classes["would"]}>
        {line.trim() === "" ? "" : would}
        {offered.length > 0 && <span> Tab: {offered.map(({ shown }) => shown).join(" · ")}</span>}
      </span>
      <span role="status" className={classes["said"]} data-bad={said.bad || undefined}>
        {said.text}
      </span>
      <ActionIcon variant="default" aria-haspopup="dialog" aria-label={t("desk.line.help.open")} onClick={() => setHelp(true)}>
        <IconHelp size={16} aria-hidden />
      </ActionIcon>
      {help && <Help onClose={() => setHelp(false)} />}
    </div>
  );
}
