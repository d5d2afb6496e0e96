import { Select, Text } from "@mantine/core";
import { enterJobAdmin } from "@rollcall/server/contract/auth";
import contract from "virtual:form/auth/enterJobAdmin";
import { useActiveIdentity } from "#core/abilities.ts";
import { useContractForm } from "#core/forms/useContractForm.ts";
import { useText } from "#core/i18n.ts";
import { useJobs } from "#core/jobs.tsx";
import { api, session } from "#core/services.ts";
import { Dialog } from "#ui/dialog.tsx";
import { Form, FormButtons } from "#ui/form.tsx";
import { AreaField, OwnField } from "#ui/formFields.tsx";
import { jobOption } from "#ui/small.tsx";
import { ProblemNote } from "#ui/states.tsx";
import classes from "./dialogs.module.css";

const MINUTES = [15, 30, 60, 120, 240] as const;

interface Values {
  readonly [field: string]: unknown;
  readonly job: string;
  readonly reason: string;
  readonly minutes: number;
}

/** Enters job admin, with a reason and for a limited time. */
export default function AdminDialog({ onClose }: { onClose: () => void }) {
  const { t } = useText();
  const { character } = useActiveIdentity();
  const jobs = useJobs();
  const form = useContractForm<Values>({
    contract,
    fields: {
      job: { label: t("auth.jobAdmin.job") },
      reason: { label: t("auth.jobAdmin.reason") },
      minutes: { label: t("auth.jobAdmin.minutes") },
    },
    stored: { version: 0, values: { job: character.job.name, reason: "", minutes: 60 } },
    draft: "auth.jobAdmin",
    async save(body) {
      await api.call(enterJobAdmin, { body });
      await session.renewRights();
    },
    saved: onClose,
  });
  const known = jobs.data?.jobs ?? [{ name: character.job.name, label: character.job.label }];
  const close = () => form.model.leave(onClose);
  return (
    <Dialog onClose={close} title={t("auth.jobAdmin.title")}>
      <Form form={form} className={classes["form"]}>
        <Text size="sm" c="dimmed">
          {t("auth.jobAdmin.text")}
        </Text>
        {jobs.isError && <ProblemNote error={jobs.error} onRetry={() => void jobs.refetch()} />}
        <OwnField<string> at="job">
          {({ value, set, error }) => (
            <Select
              label={t("auth.jobAdmin.job")}
              data={known.map(({ name, label }) => ({ value: name, label }))}
              renderOption={jobOption}
              value={value}
              onChange={(job) => job && set(job)}
              error={error}
              allowDeselect={false}
              searchable
            />
          )}
        </OwnField>
        <AreaField at="reason" rows={2} description={t("auth.jobAdmin.reasonText")} autoFocus />
        <OwnField<number> at="minutes">
          {({ value, set }) => (
            <Select
              label={t("auth.jobAdmin.minutes")}
              data={MINUTES.map((count) => ({ value: String(count), label: t("auth.jobAdmin.minutesValue", { count }) }))}
              value={String(value)}
              onChange={(minutes) => minutes && set(Number(minutes))}
              allowDeselect={false}
            />
          )}
        </OwnField>
        <FormButtons submit={t("auth.jobAdmin.enter")} cancel={{ text: t("web.cancel"), run: close }} />
      </Form>
    </Dialog>
  );
}
