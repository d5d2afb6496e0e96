import { lazy, Suspense } from "react";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { ColorInput, Textarea } from "@mantine/core";
import { getProperties, jobsPermissions, listJobs, logoKind, putLogo } from "@rollcall/server/contract/jobs";
import contract from "virtual:form/jobs/putProperties/properties";
import { useAbilities, useActiveIdentity } from "#core/abilities.ts";
import { useContractForm, type FieldInfo } from "#core/forms/useContractForm.ts";
import { useText } from "#core/i18n.ts";
import { useJob } from "#core/jobs.tsx";
import { queryOf } from "#core/queries.ts";
import { api, session } from "#core/services.ts";
import { jobColour } from "#ui/accent.ts";
import { Form, FormBar } from "#ui/form.tsx";
import { AreaField, OwnField, TextField } from "#ui/formFields.tsx";
import { PanelPage, PanelSection } from "#ui/panel.tsx";
import { TimeAgo } from "#ui/small.tsx";
import { Bars, ProblemNote, RightHint } from "#ui/states.tsx";
import { loadPictureUpload } from "#features/files/files.api.ts";
import { loadIconPicker } from "#features/icons/icons.api.ts";
import { type Loaded, type Properties, propertyCalls } from "./jobs.queries.ts";
import { LinksField } from "./linksField.tsx";
import classes from "./jobs.module.css";

const IconPicker = lazy(loadIconPicker);
const PictureUpload = lazy(loadPictureUpload);

/** The properties of the active character's job. */
export default function PropertiesPage() {
  const { t } = useText();
  const { character, jobAdmin } = useActiveIdentity();
  const job = jobAdmin?.job ?? character.job.name;
  const query = useQuery({ ...queryOf(getProperties, { params: { job } }), staleTime: 0 });
  return (
    <PanelPage
      title={query.data ? t("jobs.panel.titleOf", { job: query.data.label }) : t("web.places.properties")}
      lead={t("web.places.propertiesHint")}
    >
      {query.isPending && <Bars widths={["60%", "80%"]} />}
      {query.isError && <ProblemNote error={query.error} onRetry={() => void query.refetch()} retrying={query.isFetching} />}
      {query.data && <Logo loaded={query.data} onSaved={async () => void (await query.refetch())} />}
      {query.data && query.isFetchedAfterMount && (
        <EditForm key={job} loaded={query.data} onSaved={async () => await query.refetch()} />
      )}
    </PanelPage>
  );
}

function Logo({ loaded, onSaved }: { loaded: Loaded; onSaved: () => Promise<void> }) {
  const { t } = useText();
  const may = useAbilities().has(jobsPermissions.properties);
  const now = useJob(loaded.job);
  const queries = useQueryClient();
  const label = t("jobs.panel.logoOf", { job: loaded.label });
  const save = async (file: number | null) => {
    await api.call(putLogo, { params: { job: loaded.job }, body: { file } });
    await Promise.all([onSaved(), queries.invalidateQueries({ queryKey: [listJobs.id] })]);
  };
  return (
    <PanelSection title={t("jobs.panel.logo")} lead={t("jobs.panel.logoLead")}>
      {may ? (
        <Suspense fallback={null}>
          <PictureUpload
            kind={logoKind}
            owner={loaded.job}
            label={label}
            value={now ? (now.logo ?? null) : loaded.logo}
            save={save}
          />
        </Suspense>
      ) : (
        <RightHint permission={jobsPermissions.properties.id} />
      )}
    </PanelSection>
  );
}

function useFields(mayMessage: boolean, mayRest: boolean): Readonly<Record<string, FieldInfo>> {
  const { t } = useText();
  return {
    ...(mayMessage ? { message: { label: t("jobs.panel.message") } } : {}),
    ...(mayRest
      ? {
          colour: { label: t("jobs.panel.colour") },
          icon: { label: t("jobs.panel.icon") },
          radioFrequency: { label: t("jobs.panel.radio") },
          links: { label: t("jobs.panel.links") },
        }
      : {}),
  };
}

function EditForm({ loaded, onSaved }: { loaded: Loaded; onSaved: () => Promise<unknown> }) {
  const { t } = useText();
  const abilities = useAbilities();
  const mayRest = abilities.has(jobsPermissions.properties);
  const mayMessage = abilities.has(jobsPermissions.message);
  const form = useContractForm<Properties>({
    contract,
    fields: useFields(mayMessage, mayRest),
    stored: { version: loaded.version, values: loaded.properties },
    draft: `job.${loaded.job}`,
    ...propertyCalls(loaded.job),
    async saved() {
      await onSaved();
      // The pages take the colour of the active character's job.
      session.renewRights().catch(() => undefined);
    },
  });
  return (
    <Form form={form}>
      <PanelSection title={t("jobs.panel.message")} lead={t("jobs.panel.messageLead")}>
        {mayMessage ? (
          <AreaField at="message" rows={4} hideLabel />
        ) : (
          <>
            <RightHint permission={jobsPermissions.message.id} />
            <Textarea aria-label={t("jobs.panel.message")} rows={4} disabled value={loaded.properties.message} readOnly />
          </>
        )}
        {loaded.message && (
          <p className={classes["quiet"]}>
            {t("jobs.panel.by", { name: loaded.message.by })} <TimeAgo instant={loaded.message.at} />
          </p>
        )}
      </PanelSection>
      <PanelSection title={t("jobs.panel.look")}>
        {mayRest ? <Look job={loaded.job} /> : <RightHint permission={jobsPermissions.properties.id} />}
      </PanelSection>
      <PanelSection title={t("jobs.panel.links")} lead={t("jobs.panel.linksLead")}>
        {mayRest ? <LinksField /> : <RightHint permission={jobsPermissions.properties.id} />}
      </PanelSection>
      <FormBar />
    </Form>
  );
}

/** Colour, icon and radio frequency. */
function Look({ job }: { job: string }) {
  const { t } = useText();
  return (
    <>
      <OwnField<string | null> at="colour">
        {({ value, set, error }) => (
          <ColorInput
            label={t("jobs.panel.colour")}
            description={t("jobs.panel.colourText")}
            format="hex"
            disallowInput={false}
            error={error}
            value={value ?? jobColour(job)}
            onChange={(colour) => /^#[0-9a-f]{6}$/i.test(colour) && set(colour.toLowerCase())}
            eyeDropperButtonProps={{ "aria-label": t("jobs.panel.pickColour") }}
          />
        )}
      </OwnField>
      <Suspense fallback={<Bars widths={["40%"]} />}>
        <OwnField<string | null | undefined> at="icon">
          {({ value, set }) => (
            <IconPicker
              label={t("jobs.panel.icon")}
              description={t("jobs.panel.iconText")}
              disabled={false}
              value={value ?? null}
              onChange={set}
            />
          )}
        </OwnField>
      </Suspense>
      <TextField at="radioFrequency" />
    </>
  );
}
