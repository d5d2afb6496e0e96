import { useRef, useState } from "react";
import { Select, TextInput } from "@mantine/core";
import { useQueryClient } from "@tanstack/react-query";
import { getHours, listEntries, requestCorrection } from "@rollcall/server/contract/timeclock";
import contract from "virtual:form/timeclock/requestCorrection";
import { useContractForm } from "#core/forms/useContractForm.ts";
import { useText } from "#core/i18n.ts";
import { asProblem } from "#core/problem.ts";
import { api } from "#core/services.ts";
import { showToast } from "#core/toasts.ts";
import { DayInput } from "#ui/dayInput.tsx";
import { Dialog } from "#ui/dialog.tsx";
import { Form, FormButtons } from "#ui/form.tsx";
import { AreaField, OwnField } from "#ui/formFields.tsx";
import { localTime } from "./range.ts";
import type { Entry } from "./timeclock.queries.ts";
import classes from "./timeclock.module.css";

export interface CorrectDialogProps {
  readonly entry: Entry;
  readonly zone: string;
  onClose(): void;
}

type Which = "earlier" | "later" | null;

interface Values extends Record<string, unknown> {
  readonly from: string;
  readonly fromWhich: Which;
  readonly to: string;
  readonly toWhich: Which;
  readonly reason: string;
}

const refusals = {
  "timeclock.endBeforeStart": "to",
  "timeclock.future": "to",
  "timeclock.tooOld": "from",
  "timeclock.overlaps": "from",
  "timeclock.overlapsElsewhere": "from",
  "timeclock.running": "to",
  "timeclock.unchanged": "to",
} as const;

/** Asks for another beginning or end of an entry. */
export default function CorrectDialog(props: CorrectDialogProps) {
  const { t } = useText();
  const close = useRef<() => void>(props.onClose);
  return (
    <Dialog title={t("timeclock.correct.title")} onClose={() => close.current()}>
      <CorrectForm {...props} askFirst={(leave) => (close.current = leave)} />
    </Dialog>
  );
}

interface FormProps extends CorrectDialogProps {
  /** Gets what to do when the dialog is closed. */
  askFirst(leave: () => void): void;
}

function CorrectForm({ entry, zone, onClose, askFirst }: FormProps) {
  const { t } = useText();
  const queries = useQueryClient();
  const [twice, setTwice] = useState(false);
  const [stored] = useState(() => ({
    version: entry.version,
    values: {
      from: localTime(entry.from, zone),
      fromWhich: null,
      to: localTime(entry.to, zone),
      toWhich: null,
      reason: "",
    } satisfies Values as Values,
  }));
  const form = useContractForm<Values>({
    contract,
    fields: {
      from: { label: t("timeclock.correct.from"), form: t("timeclock.correct.time") },
      fromWhich: { label: t("timeclock.correct.fromWhich") },
      to: { label: t("timeclock.correct.to"), form: t("timeclock.correct.time") },
      toWhich: { label: t("timeclock.correct.toWhich") },
      reason: { label: t("timeclock.correct.reason") },
    },
    stored,
    draft: `timeclock.${entry.id}`,
    refusals,
    async save(values, version) {
      try {
        await api.call(requestCorrection, { params: { id: entry.id }, body: { version, ...values } });
      } catch (error) {
        if (asProblem(error).code === "timeclock.twiceTime") setTwice(true);
        throw error;
      }
      showToast({ tone: "success", title: t("timeclock.correct.sent") });
    },
    saved() {
      void queries.invalidateQueries({ queryKey: [listEntries.id] });
      void queries.invalidateQueries({ queryKey: [getHours.id] });
      onClose();
    },
  });
  const leave = () => form.model.leave(onClose);
  askFirst(leave);
  return (
    <Form form={form} className={classes["form"]}>
      <p className={classes["quiet"]}>{t("timeclock.correct.lead", { zone })}</p>
      {(["from", "to"] as const).map((at) => (
        <div key={at} className={classes["two"]}>
          <Moment at={at} />
          {twice && <WhichField at={`${at}Which`} />}
        </div>
      ))}
      <AreaField at="reason" rows={2} description={t("timeclock.correct.reasonHint")} />
      <FormButtons submit={t("timeclock.correct.send")} cancel={{ text: t("web.cancel"), run: leave }} />
    </Form>
  );
}

/** A day and a time, which the form has as one. */
function Moment({ at }: { readonly at: "from" | "to" }) {
  const { t } = useText();
  return (
    <OwnField<string> at={at}>
      {({ value, set, error }) => {
        const [day = "", time = ""] = value.split("T");
        return (
          <div className={classes["two"]}>
            <DayInput label={t(`timeclock.correct.${at}Day`)} value={day} onChange={(next) => set(`${next}T${time}`)} required />
            <TextInput
              label={t(`timeclock.correct.${at}`)}
              value={time}
              maxLength={8}
              inputMode="numeric"
              autoComplete="off"
              error={error}
              onChange={(event) => set(`${day}T${event.currentTarget.value}`)}
            />
          </div>
        );
      }}
    </OwnField>
  );
}

/** Where the clock was set back, a time occurs twice. */
function WhichField({ at }: { readonly at: "fromWhich" | "toWhich" }) {
  const { t } = useText();
  return (
    <OwnField<Which> at={at}>
      {({ value, set, error }) => (
        <Select
          label={t(`timeclock.correct.${at}`)}
          data={(["earlier", "later"] as const).map((one) => ({ value: one, label: t(`timeclock.correct.${one}`) }))}
          value={value}
          clearable
          clearButtonProps={{ "aria-label": t("web.filter.clearText") }}
          onChange={set}
          error={error}
        />
      )}
    </OwnField>
  );
}
