import { lazy, Suspense, useState, type FormEvent } from "react";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { Button, ColorInput, Textarea, TextInput } from "@mantine/core";
import type { OutputOf } from "@rollcall/server/contract/core";
import {
  getProperties,
  jobsPermissions,
  listJobs,
  logoKind,
  messageLimit,
  putLogo,
  putProperties,
} from "@rollcall/server/contract/jobs";
import { useAbilities, useActiveIdentity } from "#core/abilities.ts";
import { useDraft } from "#core/drafts.ts";
import { useText } from "#core/i18n.ts";
import { useJob } from "#core/jobs.tsx";
import { queryOf } from "#core/queries.ts";
import { api, session } from "#core/services.ts";
import { jobColour } from "#ui/accent.ts";
import { PanelPage, PanelSection } from "#ui/panel.tsx";
import { TimeAgo } from "#ui/small.tsx";
import { Bars, ProblemNote, RightHint } from "#ui/states.tsx";
import { loadPictureUpload } from "#features/files/files.api.ts";
import { loadIconPicker } from "#features/icons/icons.api.ts";
import classes from "./jobs.module.css";

const IconPicker = lazy(loadIconPicker);
const PictureUpload = lazy(loadPictureUpload);

type Loaded = OutputOf<typeof getProperties>;

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
      {query.data && <Form key={`${job} ${query.data.version}`} loaded={query.data} onSaved={() => void query.refetch()} />}
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

function Form({ loaded, onSaved }: { loaded: Loaded; onSaved: () => void }) {
  const { t } = useText();
  const abilities = useAbilities();
  const draft = useDraft(`job.${loaded.job}`, loaded.properties);
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<unknown>(null);
  const mayRest = abilities.has(jobsPermissions.properties);
  const mayMessage = abilities.has(jobsPermissions.message);
  const { message } = draft.value;
  const changed = JSON.stringify(draft.value) !== JSON.stringify(loaded.properties);

  const submit = async (event: FormEvent) => {
    event.preventDefault();
    setBusy(true);
    setError(null);
    try {
      const properties = { ...draft.value, message: message.trim() };
      await api.call(putProperties, { params: { job: loaded.job }, body: { version: loaded.version, properties } });
      draft.clear();
      onSaved();
      // The pages take the colour of the active character's job.
      session.renewRights().catch(() => undefined);
    } catch (problem) {
      setError(problem);
    }
    setBusy(false);
  };

  return (
    <form onSubmit={(event) => void submit(event)}>
      <PanelSection title={t("jobs.panel.message")} lead={t("jobs.panel.messageLead")}>
        {!mayMessage && <RightHint permission={jobsPermissions.message.id} />}
        <Textarea
          aria-label={t("jobs.panel.message")}
          rows={4}
          maxLength={messageLimit}
          disabled={!mayMessage}
          value={message}
          onChange={(event) => draft.set({ message: event.currentTarget.value })}
        />
        {loaded.message && (
          <p className={classes["quiet"]}>
            {t("jobs.panel.by", { name: loaded.message.by })} <TimeAgo instant={loaded.message.at} />
          </p>
        )}
      </PanelSection>
      <Look job={loaded.job} value={draft.value} disabled={!mayRest} onChange={draft.set} />
      {error !== null && <ProblemNote error={error} />}
      <div className={classes["buttons"]}>
        <Button variant="default" disabled={!changed} onClick={draft.clear}>
          {t("jobs.panel.discard")}
        </Button>
        <Button type="submit" loading={busy} disabled={!changed}>
          {t("jobs.panel.save")}
        </Button>
      </div>
    </form>
  );
}

interface LookProps {
  readonly job: string;
  readonly value: Loaded["properties"];
  readonly disabled: boolean;
  onChange(change: Partial<Loaded["properties"]>): void;
}

/** Colour, icon and radio frequency. */
function Look({ job, value, disabled, onChange }: LookProps) {
  const { t } = useText();
  return (
    <PanelSection title={t("jobs.panel.look")}>
      {disabled && <RightHint permission={jobsPermissions.properties.id} />}
      <ColorInput
        label={t("jobs.panel.colour")}
        description={t("jobs.panel.colourText")}
        format="hex"
        disallowInput={false}
        disabled={disabled}
        value={value.colour ?? jobColour(job)}
        onChange={(colour) => /^#[0-9a-f]{6}$/i.test(colour) && onChange({ colour: colour.toLowerCase() })}
        eyeDropperButtonProps={{ "aria-label": t("jobs.panel.pickColour") }}
      />
      <Suspense fallback={<Bars widths={["40%"]} />}>
        <IconPicker
          label={t("jobs.panel.icon")}
          description={t("jobs.panel.iconText")}
          disabled={disabled}
          value={value.icon ?? null}
          onChange={(icon) => onChange({ icon })}
        />
      </Suspense>
      <TextInput
        label={t("jobs.panel.radio")}
        maxLength={24}
        disabled={disabled}
        value={value.radioFrequency}
        onChange={(event) => onChange({ radioFrequency: event.currentTarget.value })}
      />
    </PanelSection>
  );
}
