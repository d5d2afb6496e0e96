import { useState, type FormEvent } from "react";
import { useQuery } from "@tanstack/react-query";
import { Button } from "@mantine/core";
import type { OutputOf } from "@rollcall/server/contract/core";
import { getSettings, putSettings } from "@rollcall/server/contract/settings";
import { reloadClientConfig } from "#core/client.ts";
import { useDraft } from "#core/drafts.ts";
import { useText } from "#core/i18n.ts";
import { queryOf } from "#core/queries.ts";
import { api } from "#core/services.ts";
import { PanelPage } from "#ui/panel.tsx";
import { Bars, ProblemNote } from "#ui/states.tsx";
import { Admins, Appearance, Banner, General, SignIn, Uploads } from "./sections.tsx";
import { History } from "./history.tsx";
import classes from "./settings.module.css";

type Loaded = OutputOf<typeof getSettings>;
type Settings = Loaded["settings"];

/** The settings of this instance, for config admins; every change can be undone. */
export default function SettingsPage() {
  const { t } = useText();
  const query = useQuery({ ...queryOf(getSettings, {}), staleTime: 0 });
  const again = () => {
    reloadClientConfig();
    void query.refetch();
  };
  return (
    <PanelPage title={t("web.places.settings")} lead={t("settings.lead")}>
      {query.isPending && <Bars widths={["60%", "80%", "50%"]} />}
      {query.isError && <ProblemNote error={query.error} onRetry={() => void query.refetch()} retrying={query.isFetching} />}
      {query.data && <Form key={query.data.version} loaded={query.data} onSaved={again} />}
      {query.data && <History version={query.data.version} onUndone={again} />}
    </PanelPage>
  );
}

const same = (a: unknown, b: unknown) => JSON.stringify(a) === JSON.stringify(b);

function Form({ loaded, onSaved }: { loaded: Loaded; onSaved: () => void }) {
  const { t } = useText();
  const draft = useDraft<Settings>("settings", loaded.settings);
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<unknown>(null);
  const changed = !same(draft.value, loaded.settings);
  const set =
    <K extends keyof Settings>(section: K) =>
    (change: Partial<Settings[K]>) =>
      draft.set({ [section]: { ...draft.value[section], ...change } });

  const submit = async (event: FormEvent) => {
    event.preventDefault();
    setBusy(true);
    setError(null);
    try {
      await api.call(putSettings, { body: { version: loaded.version, settings: draft.value } });
      draft.clear();
      onSaved();
    } catch (problem) {
      setError(problem);
    }
    setBusy(false);
  };

  return (
    <form onSubmit={(event) => void submit(event)}>
      <General value={draft.value.general} onChange={set("general")} />
      <SignIn value={draft.value.auth} onChange={set("auth")} />
      <Admins value={draft.value.auth} onChange={set("auth")} />
      <Uploads value={draft.value.files} onChange={set("files")} />
      <Banner value={draft.value.banner} onChange={set("banner")} />
      <Appearance
        display={draft.value.display}
        website={draft.value.website}
        onDisplay={set("display")}
        onWebsite={set("website")}
      />
      <div className={classes["bar"]} data-shown={changed || error !== null}>
        {error !== null && <ProblemNote error={error} />}
        {changed && (
          <div className={classes["save"]}>
            <span>{t("settings.unsaved")}</span>
            <Button variant="default" onClick={draft.clear}>
              {t("settings.discard")}
            </Button>
            <Button type="submit" loading={busy}>
              {t("settings.save")}
            </Button>
          </div>
        )}
      </div>
    </form>
  );
}
