import { useEffect, useEffectEvent, useRef, useState, type ReactNode, type RefObject } from "react";
import { Button } from "@mantine/core";
import { systemClock } from "#core/clock.ts";
import type { ContractForm } from "#core/forms/useContractForm.ts";
import { useText } from "#core/i18n.ts";
import { useShortcuts } from "#core/keyboard.ts";
import { Problem } from "#core/problem.ts";
import { useReceivedSince } from "#core/realtime/live.tsx";
import { useStore } from "#core/store.ts";
import { FormContext, unsavedNames, useFormAround, useFormState } from "./formContext.ts";
import { FormConflict } from "./formConflict.tsx";
import { FormDraft } from "./formDraft.tsx";
import { FormLeave } from "./formLeave.tsx";
import { FormProblem, SubmitButton } from "./formParts.tsx";
import classes from "./form.module.css";

interface FormProps {
  readonly form: ContractForm;
  readonly className?: string | undefined;
  readonly label?: string;
  /**
   * The record is chosen beside the form and named in the query of the address: leaving it is leaving the form, and
   * Enter in one of its many fields, some of which search, does not save it (the first button would).
   */
  readonly inSearch?: boolean;
  readonly children: ReactNode;
}

/**
 * A form with what belongs to it: a draft that was found, why it could not be saved, both versions after a conflict,
 * and the question before somebody leaves unsaved text. Its last child is a `FormBar` or `FormButtons`.
 */
export function Form({ form, className, label, inSearch = false, children }: FormProps) {
  const { busy, problem } = useStore(form.model.state);
  const element = useRef<HTMLFormElement>(null);
  useFirstField(element);
  return (
    <FormContext value={form}>
      <form
        ref={element}
        className={className}
        aria-label={label}
        aria-busy={busy}
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          // A dialog of a field may hold a form of its own, whose events pass here.
          if (event.target === event.currentTarget) void form.model.submit();
        }}
      >
        {inSearch && <input type="submit" disabled hidden aria-hidden />}
        <FormDraft />
        <SavingProblem problem={problem} />
        {children}
      </form>
      <FormConflict />
      <FormLeave inSearch={inSearch} />
    </FormContext>
  );
}

const FIELDS = ["input", "textarea", "select"].map((one) => `${one}:not(:disabled, [type=hidden], [hidden])`).join(", ");

/** In a dialog the first field has the focus, also where the form is there later than the dialog. */
function useFirstField(form: RefObject<HTMLFormElement | null>) {
  useEffect(() => {
    const dialog = form.current?.closest("[role=dialog]");
    const field = form.current?.querySelector<HTMLElement>(FIELDS);
    if (!dialog || !field || dialog.querySelector("[data-autofocus]")) return;
    // The library gives the focus to what is marked so, when the dialog opens.
    field.dataset["autofocus"] = "true";
    const { activeElement } = document;
    if (dialog.contains(activeElement) && !form.current?.contains(activeElement)) field.focus();
  }, [form]);
}

/** Why it could not be saved; when the server is there again, that it can be tried again. */
function SavingProblem({ problem }: { problem: unknown }) {
  const { t } = useText();
  const [failed, setFailed] = useState({ problem, at: systemClock.now() });
  if (failed.problem !== problem) setFailed({ problem, at: systemClock.now() });
  const wasUnreachable = problem instanceof Problem && (problem.code === "web.offline" || problem.code === "web.timeout");
  const isBack = useReceivedSince(wasUnreachable ? failed.at : null);
  if (!isBack) return <FormProblem problem={problem} />;
  return (
    <p className={classes["again"]} role="status">
      {t("web.form.again")}
    </p>
  );
}

/** Ctrl+S saves the form, also while a field has the focus. */
function useSaveKey(bar: RefObject<HTMLElement | null>, save: () => void) {
  const press = useEffectEvent((event: KeyboardEvent) => {
    if (!(event.ctrlKey || event.metaKey) || event.altKey || event.key.toLowerCase() !== "s") return;
    const dialogs = document.querySelectorAll('[role="dialog"]');
    const isCovered = dialogs.length > 0 && !dialogs[dialogs.length - 1]!.contains(bar.current);
    event.preventDefault();
    if (!isCovered) save();
  });
  useEffect(() => {
    addEventListener("keydown", press);
    return () => removeEventListener("keydown", press);
  }, []);
  useShortcuts([{ keys: "Ctrl+S", label: "web.form.saveKey", group: "page" }]);
}

/** Toasts appear above the bar, not on its buttons. */
function useRoomForToasts(bar: RefObject<HTMLElement | null>, shown: boolean) {
  useEffect(() => {
    const node = bar.current;
    if (!shown || !node) return;
    const { style } = document.documentElement;
    const measured = new ResizeObserver(() => style.setProperty("--rc-bar", `${node.offsetHeight}px`));
    measured.observe(node);
    return () => {
      measured.disconnect();
      style.removeProperty("--rc-bar");
    };
  }, [bar, shown]);
}

interface BarProps {
  /** What saving is called here. */
  readonly save?: string;
  /** Shown beside it in place of discarding, also while nothing is unsaved: a dialog that closes. */
  readonly onClose?: () => void;
  /** What is unsaved, in place of the names of the fields. */
  readonly what?: ReactNode;
  readonly disabled?: boolean;
}

/** Stays in view and says what is not saved, with the buttons that save and discard it. */
export function FormBar({ save, onClose, what, disabled = false }: BarProps) {
  const { t } = useText();
  const form = useFormAround();
  const state = useFormState();
  const bar = useRef<HTMLDivElement>(null);
  const unsaved = state.changed.length > 0;
  const shown = unsaved || state.busy || onClose !== undefined;
  useRoomForToasts(bar, shown && onClose === undefined);
  useSaveKey(bar, () => (unsaved || onClose) && !disabled && void form.model.submit());
  return (
    <div ref={bar} className={classes["bar"]} data-shown={shown}>
      {state.overtaken && (
        <div className={classes["overtaken"]} role="alert">
          <span>{t("web.form.overtaken")}</span>
          <Button size="compact-sm" variant="default" onClick={() => form.model.compare()}>
            {t("web.form.compare")}
          </Button>
        </div>
      )}
      <span className={classes["what"]} role="status">
        {unsaved && (what ?? t("web.form.unsaved", { fields: unsavedNames(t, form, state) }))}
      </span>
      {shown && (
        <>
          {onClose ? (
            <Button variant="default" onClick={() => form.model.leave(onClose)}>
              {t("web.cancel")}
            </Button>
          ) : (
            <Button variant="default" disabled={state.busy} onClick={() => form.model.discard()}>
              {t("web.form.discard")}
            </Button>
          )}
          <SubmitButton busy={state.busy} disabled={disabled}>
            {save ?? t("web.form.save")}
          </SubmitButton>
        </>
      )}
    </div>
  );
}

interface ButtonsProps {
  readonly submit: string;
  readonly cancel?: { readonly text: string; run(): void };
  readonly danger?: boolean;
  readonly small?: boolean;
  readonly className?: string | undefined;
  readonly children?: ReactNode;
}

/** The buttons of a short form, such as one that asks for a reason. As everywhere, the one that does it is the last. */
export function FormButtons({ submit, cancel, danger = false, small = false, className, children }: ButtonsProps) {
  const { busy } = useFormState();
  const size = small ? { size: "compact-sm" } : {};
  return (
    <div className={className ?? classes["buttons"]}>
      {cancel && (
        <Button variant="default" onClick={cancel.run} {...size}>
          {cancel.text}
        </Button>
      )}
      <SubmitButton busy={busy} danger={danger} small={small}>
        {submit}
      </SubmitButton>
      {children}
    </div>
  );
}
