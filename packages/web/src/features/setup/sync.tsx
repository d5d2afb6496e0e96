import { useState } from "react";
import { useMutation, useQuery } from "@tanstack/react-query";
import { Button } from "@mantine/core";
import { IconCircleCheck, IconPlugConnectedX } from "@tabler/icons-react";
import type { OutputOf } from "@rollcall/server/contract/core";
import { getSettings, putSettings } from "@rollcall/server/contract/settings";
import { setupReceived, setupSync } from "@rollcall/server/contract/setup";
import { useClientConfig } from "#core/client.ts";
import { useText } from "#core/i18n.ts";
import { queryOf } from "#core/queries.ts";
import { api } from "#core/services.ts";
import { TimeAgo } from "#ui/small.tsx";
import { Bars, ProblemNote } from "#ui/states.tsx";
import { CopyBlock, StepTitle } from "./parts.tsx";
import classes from "./setup.module.css";

type SyncState = OutputOf<typeof setupSync>;

/** Interval in which what was received is counted. Milliseconds. */
const LOOK = 3_000;

/** Generated in the browser and shown only here: the server knows it once it is in config.yaml. */
function randomToken(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(32)), (byte) => byte.toString(16).padStart(2, "0")).join("");
}

const isOn = ({ enabled, tokens }: SyncState) => enabled && tokens > 0;

export function SyncStep({ onBack, onDone }: { onBack: () => void; onDone: () => void }) {
  const { t } = useText();
  const [token] = useState(randomToken);
  const query = useQuery({ ...queryOf(setupSync, {}), staleTime: 0 });
  const complete = useMutation({
    mutationFn: async () => {
      const { version, settings } = await api.call(getSettings, {});
      const general = { ...settings.general, setupComplete: true };
      return await api.call(putSettings, { body: { version, settings: { ...settings, general } } });
    },
    onSuccess: onDone,
  });
  const on = query.data !== undefined && isOn(query.data);
  return (
    <>
      <StepTitle>{t("setup.sync.title")}</StepTitle>
      <p>{t("setup.sync.text")}</p>
      <Plugin />
      {query.isPending && <Bars widths={["60%", "80%", "50%"]} />}
      {query.isError && <ProblemNote error={query.error} onRetry={() => void query.refetch()} retrying={query.isFetching} />}
      {query.data && (on ? <On state={query.data} /> : <Off state={query.data} token={token} />)}
      {complete.isError && <ProblemNote error={complete.error} />}
      <div className={classes["acts"]}>
        {on || query.data === undefined ? null : (
          <Button loading={query.isFetching} onClick={() => void query.refetch()}>
            {t("setup.sync.check")}
          </Button>
        )}
        <Button variant={on ? "filled" : "default"} loading={complete.isPending} onClick={() => complete.mutate()}>
          {t(on ? "setup.next" : "setup.sync.without")}
        </Button>
        <Button variant="subtle" color="gray" onClick={onBack}>
          {t("setup.back")}
        </Button>
      </div>
    </>
  );
}

/** What has to be installed on the game server, and where that is described. */
function Plugin() {
  const { t } = useText();
  return (
    <p>
      {t("setup.sync.plugin")}{" "}
      <a href="/api/docs" target="_blank" rel="noreferrer">
        {t("setup.sync.docs")}
      </a>
    </p>
  );
}

/** Counts up while the game server sends. */
function Received() {
  const { t } = useText();
  const { data } = useQuery({ ...queryOf(setupReceived, {}), staleTime: 0, refetchInterval: LOOK });
  if (!data || data.lastDataAt === null) return t("setup.sync.waiting");
  // Accounts are created here as well: the first admin has one.
  const received = data.kinds.filter(({ kind, count }) => kind !== "accounts" && count > 0);
  const kinds = received.map(({ kind, count }) => t(`setup.sync.kinds.${kind}`, { count }));
  return (
    <>
      {kinds.length > 0 && <>{t("setup.sync.counted", { kinds: kinds.join(", ") })} </>}
      {t("setup.sync.received")} <TimeAgo instant={data.lastDataAt} />
    </>
  );
}

function Off({ state, token }: { state: SyncState; token: string }) {
  const { t } = useText();
  const lines = ["sync:", "  enabled: true", ...(state.tokens > 0 ? [] : [`  apiTokens: ["${token}"]`])];
  return (
    <>
      <div className={classes["state"]} data-on={false} role="status">
        <IconPlugConnectedX size={18} aria-hidden />
        <span>{t(state.enabled ? "setup.sync.noToken" : "setup.sync.off")}</span>
      </div>
      <p>{t(state.tokens > 0 ? "setup.sync.addKept" : "setup.sync.add")}</p>
      <CopyBlock text={`${lines.join("\n")}\n`} label="YAML" />
      <p className={classes["quiet"]}>{t("setup.sync.restart")}</p>
    </>
  );
}

function On({ state }: { state: SyncState }) {
  const { t } = useText();
  const client = useClientConfig();
  const base = (client?.publicUrl ?? location.origin).replace(/\/$/, "");
  return (
    <>
      <div className={classes["state"]} data-on={true} role="status">
        <IconCircleCheck size={18} aria-hidden />
        <span>
          {t("setup.sync.on", { count: state.tokens })} <Received />
        </span>
      </div>
      <p>{t("setup.sync.try")}</p>
      <CopyBlock text={`curl -H "Authorization: Bearer $TOKEN" ${base}/api/sync/v1/status`} label="curl" />
    </>
  );
}
