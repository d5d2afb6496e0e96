import { useState } from "react";
import { Button } from "@mantine/core";
import { IconAlertTriangle } from "@tabler/icons-react";
import { useText } from "#core/i18n.ts";
import { hasNothing } from "#core/queries.ts";
import { useConfirm } from "#ui/confirm.tsx";
import { ActionList, useAnnouncement } from "#ui/actionList.tsx";
import { TimeAgo } from "#ui/small.tsx";
import { Bars, ProblemNote } from "#ui/states.tsx";
import { ConnectForm } from "./connect.tsx";
import { type Connection, useConnections, useDisconnect } from "./oauth.queries.ts";
import { forgetOutcome, OauthOutcomeNote } from "./outcome.tsx";
import { type Provider, useProviders } from "./providers.ts";
import { Sign } from "./sign.tsx";
import classes from "./oauth.module.css";

const PAGE = "/account/connections";

interface Entry {
  readonly name: string;
  readonly label: string;
  readonly provider: Provider | null;
  readonly connection: Connection | null;
}

function entriesOf(providers: readonly Provider[], connections: readonly Connection[]): Entry[] {
  const known = providers.map((provider) => ({
    name: provider.name,
    label: provider.label,
    provider,
    connection: connections.find((one) => one.provider === provider.name) ?? null,
  }));
  const others = connections
    .filter(({ configured }) => !configured)
    .map((connection) => ({ name: connection.provider, label: connection.label, provider: null, connection }));
  return [...known, ...others];
}

/** The account's connections to external providers, on the account page. */
export default function Connections() {
  const { t } = useText();
  const providers = useProviders();
  const query = useConnections();
  const disconnecting = useDisconnect();
  const { announcement, announce } = useAnnouncement();
  if (query.data === undefined || hasNothing(query))
    return <ProblemNote error={query.error} onRetry={() => void query.refetch()} retrying={query.isFetching} />;
  if (providers === null || query.data === undefined) return <Bars widths={["60%", "45%"]} />;
  const entries = entriesOf(providers, query.data.connections);
  const end = ({ name, label }: Entry) => {
    forgetOutcome();
    disconnecting.mutate(name, { onSuccess: () => announce(t("oauth.panel.disconnected", { provider: label })) });
  };
  return (
    <div>
      <h2>{t("oauth.panel.title")}</h2>
      <OauthOutcomeNote />
      {disconnecting.isError && <ProblemNote error={disconnecting.error} />}
      {entries.length === 0 ? (
        <p className={classes["hint"]}>{t("oauth.panel.noProviders")}</p>
      ) : (
        <ActionList label={t("oauth.panel.title")} announcement={announcement}>
          <ul className={classes["list"]} aria-label={t("oauth.panel.title")}>
            {entries.map((entry) => (
              <Row key={entry.name} entry={entry} onDisconnect={() => end(entry)} busy={disconnecting.isPending} />
            ))}
          </ul>
        </ActionList>
      )}
      {query.data.connections.some(({ tokens }) => tokens === "noSecret") && (
        <p className={classes["hint"]}>{t("oauth.panel.noSecret")}</p>
      )}
    </div>
  );
}

function Row({ entry, onDisconnect, busy }: { entry: Entry; onDisconnect: () => void; busy: boolean }) {
  const { t } = useText();
  const { name, label, provider, connection } = entry;
  const homepage = provider?.homepage ?? null;
  const [connecting, setConnecting] = useState(false);
  return (
    <li className={classes["row"]}>
      <Sign src={connection?.avatar ?? provider?.icon ?? null} name={provider?.iconName ?? null} size={32} />
      <div className={classes["who"]}>
        <div className={classes["provider"]}>
          {homepage === null ? (
            label
          ) : (
            <a href={homepage} target="_blank" rel="noreferrer">
              {label}
            </a>
          )}
        </div>
        <div className={classes["dim"]}>
          {connection === null ? t("oauth.panel.notConnected") : <Since connection={connection} />}
        </div>
        {connection?.tokens === "reconnect" && <Warning text={t("oauth.panel.reconnectWhy")} />}
        {connection?.configured === false && <Warning text={t("oauth.panel.notConfigured")} />}
      </div>
      <div className={classes["actions"]}>
        {connection?.tokens === "reconnect" && provider !== null && !connecting && (
          <Button size="compact-md" onClick={() => setConnecting(true)}>
            {t("oauth.panel.reconnect")}
          </Button>
        )}
        {connection === null && !connecting && (
          <Button
            size="compact-md"
            variant="default"
            aria-label={t("oauth.panel.connectTo", { provider: label })}
            onClick={() => setConnecting(true)}
          >
            {t("oauth.panel.connect")}
          </Button>
        )}
        {connection !== null && <Disconnect label={label} busy={busy} onConfirm={onDisconnect} />}
      </div>
      {connecting && <ConnectForm name={name} back={PAGE} onCancel={() => setConnecting(false)} />}
    </li>
  );
}

export function Since({ connection }: { connection: Connection }) {
  const { t } = useText();
  const { username, connectedAt } = connection;
  return (
    <>
      {username === null ? t("oauth.panel.connected") : t("oauth.panel.connectedAs", { username })}
      {" · "}
      <TimeAgo instant={connectedAt} />
    </>
  );
}

export function Warning({ text }: { text: string }) {
  return (
    <div className={classes["warn"]}>
      <IconAlertTriangle size={15} aria-hidden />
      <span>{text}</span>
    </div>
  );
}

/** Reconnecting takes another visit to the provider, so disconnecting needs a confirmation. */
export function Disconnect({ label, busy, onConfirm }: { label: string; busy: boolean; onConfirm: () => void }) {
  const { t } = useText();
  const { ask, dialog } = useConfirm();
  const question = {
    title: t("oauth.panel.disconnectTitle", { provider: label }),
    text: t("oauth.panel.disconnectText", { provider: label }),
    yes: t("oauth.panel.disconnectNow"),
  };
  return (
    <>
      <Button
        size="compact-md"
        variant="default"
        loading={busy}
        aria-label={t("oauth.panel.disconnectFrom", { provider: label })}
        onClick={() => ask(question, onConfirm)}
      >
        {t("oauth.panel.disconnect")}
      </Button>
      {dialog}
    </>
  );
}
