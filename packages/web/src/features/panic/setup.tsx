import { useMemo } from "react";
import { Button, Select } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import { useQueryClient } from "@tanstack/react-query";
import { IconArrowLeft } from "@tabler/icons-react";
import type { OutputOf } from "@rollcall/server/contract/core";
import { getPanicRules, panicPermissions, putPanicRules } from "@rollcall/server/contract/panic";
import contract from "virtual:form/panic/putPanicRules";
import { useContractForm } from "#core/forms/useContractForm.ts";
import { useText } from "#core/i18n.ts";
import { api } from "#core/services.ts";
import { Form, FormBar } from "#ui/form.tsx";
import { OwnField } from "#ui/formFields.tsx";
import { Guard } from "#ui/guard.tsx";
import { PanelPage, PanelSection } from "#ui/panel.tsx";
import { jobOption, JobTag } from "#ui/small.tsx";
import { Bars, ProblemNote } from "#ui/states.tsx";
import { usePanicRules } from "./panic.queries.ts";
import classes from "./panic.module.css";

type Rules = OutputOf<typeof getPanicRules>;

/** Who gets the panics of the own job, for those who set it up. */
export default function SetupPage() {
  return (
    <Guard permission={panicPermissions.setup}>
      <Content />
    </Guard>
  );
}

function Content() {
  const { t } = useText();
  const query = usePanicRules();
  return (
    <PanelPage title={t("panic.setup.title")} lead={t("panic.setup.lead")} actions={<Back />}>
      {query.isError && <ProblemNote error={query.error} onRetry={() => void query.refetch()} retrying={query.isFetching} />}
      {query.isPending && <Bars widths={["60%", "80%"]} />}
      {query.data && (
        <>
          <PanelSection title={t("panic.setup.to")} lead={t("panic.setup.toLead")}>
            <Fields data={query.data} />
          </PanelSection>
          <PanelSection title={t("panic.setup.from")}>
            {query.data.from.length === 0 && <p className={classes["quiet"]}>{t("panic.setup.fromNobody")}</p>}
            <p className={classes["tags"]}>
              {query.data.from.map((job) => (
                <JobTag key={job.name} job={job} />
              ))}
            </p>
          </PanelSection>
        </>
      )}
    </PanelPage>
  );
}

export function Back() {
  const { t } = useText();
  return (
    <Button
      variant="default"
      leftSection={<IconArrowLeft size={16} aria-hidden />}
      renderRoot={(props) => <Link to="/panic" {...props} />}
    >
      {t("panic.title")}
    </Button>
  );
}

interface Values extends Record<string, unknown> {
  readonly to: string | null;
}

function Fields({ data: { rules, jobs } }: { readonly data: Rules }) {
  const { t } = useText();
  const queries = useQueryClient();
  const stored = useMemo(() => ({ version: rules.version, values: { to: rules.to } }), [rules]);
  const form = useContractForm<Values>({
    contract,
    fields: { to: { label: t("panic.setup.job") } },
    stored,
    save: async ({ to }, version) => void (await api.call(putPanicRules, { body: { version, to: to || null } })),
    async read() {
      const { rules: now } = await api.call(getPanicRules);
      return { version: now.version, values: { to: now.to } };
    },
    saved: () => void queries.invalidateQueries({ queryKey: [getPanicRules.id] }),
  });
  return (
    <Form form={form} className={classes["form"]}>
      <OwnField<string | null> at="to">
        {({ value, set, error }) => (
          <Select
            label={t("panic.setup.job")}
            placeholder={t("panic.setup.nobody")}
            nothingFoundMessage={t("panic.setup.noJob")}
            data={jobs.map(({ name, label }) => ({ value: name, label }))}
            renderOption={jobOption}
            value={value}
            onChange={set}
            error={error}
            clearable
            searchable
          />
        )}
      </OwnField>
      <FormBar save={t("web.form.save")} />
    </Form>
  );
}
