import { useRef, useState } from "react";
import { useQueryClient } from "@tanstack/react-query";
import { getHours, listEntries, requestCorrection } from "@rollcall/server/contract/timeclock";
import contract from "virtual:form/timeclock/requestCorrection";
import { useContractForm } from "#core/forms/useContractForm.ts";
import { useText } from "#core/i18n.ts";
import { asProblem } from "#core/problem.ts";
import { api } from "#core/services.ts";
import { showToast } from "#core/toasts.ts";
import { Dialog } from "#ui/dialog.tsx";
import { Form, FormButtons } from "#ui/form.tsx";
import { AreaField } from "#ui/formFields.tsx";
import { localTime } from "./range.ts";
import { refusals, timeLabels, TimesFields, type Times } from "./timesFields.tsx";
import type { Entry } from "./timeclock.queries.ts";
import classes from "./timeclock.module.css";

export interface CorrectDialogProps {
  readonly entry: Entry;
  readonly zone: string;
  onClose(): void;
}

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
    } satisfies Times as Times,
  }));
  const form = useContractForm<Times>({
    contract,
    fields: timeLabels(t),
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
      <TimesFields twice={twice} />
      <AreaField at="reason" rows={2} description={t("timeclock.correct.reasonHint")} />
      <FormButtons submit={t("timeclock.correct.send")} cancel={{ text: t("web.cancel"), run: leave }} />
    </Form>
  );
}
