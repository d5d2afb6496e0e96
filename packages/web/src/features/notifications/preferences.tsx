import { Button, Checkbox } from "@mantine/core";
import { useText } from "#core/i18n.ts";
import { Bars, ProblemNote } from "#ui/states.tsx";
import { type Preference, useChoose, usePreferencesOfKinds, useTryOut } from "./notifications.queries.ts";
import { labelOf } from "./texts.ts";
import classes from "./notifications.module.css";

const CHANNELS = ["bell", "toast", "sound"] as const;

/** The channels of every kind of notification, stored for the account. */
export function PreferencesSection() {
  const { t } = useText();
  const query = usePreferencesOfKinds();
  const choose = useChoose();
  const tryOut = useTryOut();
  return (
    <section className={classes["preferences"]} aria-labelledby="notification-preferences">
      <h2 id="notification-preferences">{t("notifications.preferences.title")}</h2>
      <p>{t("notifications.preferences.text")}</p>
      {query.isPending && <Bars widths={["90%", "80%"]} />}
      {query.isError && <ProblemNote error={query.error} onRetry={() => void query.refetch()} retrying={query.isFetching} />}
      {choose.isError && <ProblemNote error={choose.error} />}
      {query.data && (
        <table className={classes["matrix"]}>
          <thead>
            <tr>
              <th scope="col">{t("notifications.kind")}</th>
              {CHANNELS.map((channel) => (
                <th key={channel} scope="col">
                  {t(`notifications.channels.${channel}`)}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {query.data.kinds.map((kind) => (
              <Kind key={kind.kind} kind={kind} onChoose={(channels) => choose.mutate({ kind: kind.kind, channels })} />
            ))}
          </tbody>
        </table>
      )}
      <Button variant="default" loading={tryOut.isPending} onClick={() => tryOut.mutate()}>
        {t("notifications.preferences.try")}
      </Button>
      {tryOut.isError && <ProblemNote error={tryOut.error} />}
    </section>
  );
}

function Kind({ kind, onChoose }: { kind: Preference; onChoose: (channels: Preference["channels"]) => void }) {
  const { t } = useText();
  const label = labelOf(t, kind.kind);
  return (
    <tr>
      <th scope="row">{label}</th>
      {CHANNELS.map((channel) => {
        const stays = channel === "bell" && kind.always;
        return (
          <td key={channel}>
            <Checkbox
              aria-label={`${label}: ${t(`notifications.channels.${channel}`)}`}
              title={stays ? t("notifications.preferences.always") : undefined}
              checked={kind.channels[channel]}
              disabled={stays}
              onChange={(event) => onChoose({ ...kind.channels, [channel]: event.currentTarget.checked })}
            />
          </td>
        );
      })}
    </tr>
  );
}
