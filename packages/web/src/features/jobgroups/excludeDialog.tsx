import { exclude } from "@rollcall/server/contract/jobgroups";
import contract from "virtual:form/jobgroups/exclude";
import { useContractForm } from "#core/forms/useContractForm.ts";
import { useText } from "#core/i18n.ts";
import { api } from "#core/services.ts";
import { showToast } from "#core/toasts.ts";
import { DayInput } from "#ui/dayInput.tsx";
import { Dialog } from "#ui/dialog.tsx";
import { Form, FormButtons } from "#ui/form.tsx";
import { AreaField, OwnField } from "#ui/formFields.tsx";
import { useReadAgain } from "./jobgroups.queries.ts";
import classes from "./jobgroups.module.css";

export interface ExcludeDialogProps {
  readonly group: number;
  readonly person: { readonly id: number; readonly name: string };
  onClose(): void;
}

interface Values extends Record<string, unknown> {
  readonly reason: string;
  readonly until: string | null;
}

const EMPTY = { version: 0, values: { reason: "", until: null } };

/** Keeps somebody out of a group, for a reason and perhaps until a day. */
export default function ExcludeDialog({ group, person: { id, name }, onClose }: ExcludeDialogProps) {
  const { t } = useText();
  const read = useReadAgain();
  const form = useContractForm<Values>({
    contract,
    fields: {
      reason: { label: t("jobgroups.exclusions.reason") },
      until: { label: t("jobgroups.exclusions.until") },
    },
    stored: EMPTY,
    draft: `jobgroup.exclusion.${group}.${id}`,
    refusals: { "jobgroups.dayOver": "until" },
    async save(values) {
      await api.call(exclude, { params: { id: group, citizenId: id }, body: values });
      showToast({ tone: "success", title: t("jobgroups.exclusions.done", { name }) });
    },
    saved() {
      void read();
      onClose();
    },
  });
  const leave = () => form.model.leave(onClose);
  return (
    <Dialog title={t("jobgroups.exclusions.ask", { name })} onClose={leave}>
      <Form form={form} className={classes["form"]}>
        <p className={classes["quiet"]}>{t("jobgroups.exclusions.hint")}</p>
        <AreaField at="reason" rows={2} autoFocus />
        <OwnField<string | null> at="until">
          {({ value, set, error }) => (
            <DayInput
              label={t("jobgroups.exclusions.until")}
              value={value ?? ""}
              error={error}
              onChange={(day) => set(day === "" ? null : day)}
            />
          )}
        </OwnField>
        <FormButtons submit={t("jobgroups.exclusions.exclude")} cancel={{ text: t("web.cancel"), run: leave }} />
      </Form>
    </Dialog>
  );
}
