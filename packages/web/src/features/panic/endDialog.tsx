import { useMemo } from "react";
import { useQueryClient } from "@tanstack/react-query";
import { endPanic, getPanic, type PanicOutcome, panicOutcomes } from "@rollcall/server/contract/panic";
import contract from "virtual:form/panic/endPanic";
import { useContractForm } from "#core/forms/useContractForm.ts";
import { useText } from "#core/i18n.ts";
import { api } from "#core/services.ts";
import { Dialog } from "#ui/dialog.tsx";
import { Form, FormButtons } from "#ui/form.tsx";
import { ChoiceField, TextField } from "#ui/formFields.tsx";
import { type Panic, readAgain } from "./panic.queries.ts";
import classes from "./panic.module.css";

export interface EndDialogProps {
  readonly panic: Panic;
  onClose(): void;
}

interface Values extends Record<string, unknown> {
  readonly outcome: PanicOutcome;
  readonly note: string;
}

const values: Values = { outcome: "real", note: "" };

/** What the panic was, and a note that all its jobs read. */
export default function EndDialog({ panic: { id, version }, onClose }: EndDialogProps) {
  const { t } = useText();
  const queries = useQueryClient();
  const stored = useMemo(() => ({ version, values }), [version]);
  const form = useContractForm<Values>({
    contract,
    fields: { outcome: { label: t("panic.end.outcome") }, note: { label: t("panic.note") } },
    stored,
    save: async ({ outcome, note }, seen) =>
      void (await api.call(endPanic, { params: { id }, body: { version: seen, outcome, note: note || null } })),
    async read() {
      const now = await api.call(getPanic, { params: { id } });
      return { version: now.version, values };
    },
    saved() {
      void readAgain(queries);
      onClose();
    },
  });
  return (
    <Dialog title={t("panic.end.open")} onClose={onClose}>
      <Form form={form} className={classes["form"]}>
        <ChoiceField
          at="outcome"
          description={t("panic.end.hint")}
          data={panicOutcomes.map((value) => ({ value, label: t(`panic.states.${value}`) }))}
        />
        <TextField at="note" />
        <FormButtons submit={t("panic.end.submit")} cancel={{ text: t("web.cancel"), run: onClose }} />
      </Form>
    </Dialog>
  );
}
