import { useQueryClient } from "@tanstack/react-query";
import { createTemporary, listUnits } from "@rollcall/server/contract/units";
import contract from "virtual:form/units/createTemporary";
import { useContractForm } from "#core/forms/useContractForm.ts";
import { useText } from "#core/i18n.ts";
import { api } from "#core/services.ts";
import { Dialog } from "#ui/dialog.tsx";
import { Form, FormBar } from "#ui/form.tsx";
import { TextField } from "#ui/formFields.tsx";
import classes from "./units.module.css";

export interface TemporaryProps {
  onClose(): void;
}

interface Values extends Record<string, unknown> {
  readonly name: string;
}

const stored = { version: 0, values: { name: "" } };

/** Makes a unit that is dissolved once it is empty. */
export default function Temporary({ onClose }: TemporaryProps) {
  const { t } = useText();
  const queries = useQueryClient();
  const form = useContractForm<Values>({
    contract,
    fields: { name: { label: t("units.fields.name") } },
    stored,
    refusals: { "units.nameTaken": "name" },
    save: async ({ name }) => await api.call(createTemporary, { body: { name } }),
    read: async () => await Promise.resolve(stored),
    saved() {
      void queries.invalidateQueries({ queryKey: [listUnits.id] });
      onClose();
    },
  });
  return (
    <Dialog title={t("units.temporary.title")} onClose={() => form.model.leave(onClose)}>
      <Form form={form} className={classes["form"]}>
        <p className={classes["quiet"]}>{t("units.temporary.text")}</p>
        <TextField at="name" autoFocus />
        <FormBar save={t("units.temporary.create")} onClose={onClose} />
      </Form>
    </Dialog>
  );
}
