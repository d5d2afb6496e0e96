import { useText } from "#core/i18n.ts";
import { ActionList, useAnnouncement } from "#ui/actionList.tsx";
import { Section } from "#ui/small.tsx";
import { Bars, ProblemNote } from "#ui/states.tsx";
import { Disconnect, Since, Warning } from "./connections.tsx";
import { useConnectionsOf, useDisconnectOf } from "./oauth.queries.ts";
import { Sign } from "./sign.tsx";
import classes from "./oauth.module.css";

/** Another account's connections, for admins. Only the owner can connect a removed one again. */
export function ConnectionsOf({ accountId }: { accountId: number }) {
  const { t } = useText();
  const query = useConnectionsOf(accountId);
  const disconnecting = useDisconnectOf(accountId);
  const { announcement, announce } = useAnnouncement();
  const connections = query.data?.connections ?? [];
  return (
    <Section title={t("oauth.panel.title")} count={connections.length}>
      {query.isPending && <Bars widths={["60%"]} />}
      {query.isError && <ProblemNote error={query.error} onRetry={() => void query.refetch()} retrying={query.isFetching} />}
      {disconnecting.isError && <ProblemNote error={disconnecting.error} />}
      {query.isSuccess && connections.length === 0 && <p className={classes["none"]}>{t("oauth.panel.noneOf")}</p>}
      <ActionList label={t("oauth.panel.title")} announcement={announcement}>
        {connections.length > 0 && (
          <ul className={classes["list"]} aria-label={t("oauth.panel.title")}>
            {connections.map((connection) => (
              <li key={connection.provider} className={classes["row"]}>
                <Sign src={connection.avatar} size={32} />
                <div className={classes["who"]}>
                  <div className={classes["provider"]}>{connection.label}</div>
                  <div className={classes["dim"]}>
                    <Since connection={connection} />
                  </div>
                  {connection.tokens === "reconnect" && <Warning text={t("oauth.panel.reconnectOf")} />}
                  {!connection.configured && <Warning text={t("oauth.panel.notConfigured")} />}
                </div>
                <div className={classes["actions"]}>
                  <Disconnect
                    label={connection.label}
                    busy={disconnecting.isPending}
                    onConfirm={() =>
                      disconnecting.mutate(connection.provider, {
                        onSuccess: () => announce(t("oauth.panel.disconnected", { provider: connection.label })),
                      })
                    }
                  />
                </div>
              </li>
            ))}
          </ul>
        )}
      </ActionList>
    </Section>
  );
}
