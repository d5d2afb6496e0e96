import { Button, Checkbox } from "@mantine/core";
import { useText } from "#core/i18n.ts";
import { Bars, ProblemNote } from "#ui/states.tsx";
import { type Channel, type Preference, useChoose, usePreferencesOfKinds, useTryOut } from "./notifications.queries.ts";
import { SoundSettings } from "./soundSettings.tsx";
import { labelOf } from "./texts.ts";
import classes from "./notifications.module.css";

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
              {query.data.channels.map(({ id, label }) => (
                <th key={id} scope="col">
                  {t(label)}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {query.data.kinds.map((kind) => (
              <Kind
                key={kind.kind}
                kind={kind}
                offered={query.data.channels}
                onChoose={(channels) => choose.mutate({ kind: kind.kind, channels })}
              />
            ))}
          </tbody>
        </table>
      )}
      <SoundSettings />
      <Button variant="default" loading={tryOut.isPending} onClick={() => tryOut.mutate()}>
        {t("notifications.preferences.try")}
      </Button>
      {tryOut.isError && <ProblemNote error={tryOut.error} />}
    </section>
  );
}

interface KindProps {
  readonly kind: Preference;
  /** The channels of all ways that reach the account. */
  readonly offered: readonly Channel[];
  onChoose(channels: Preference["channels"]): void;
}

function Kind({ kind, offered, onChoose }: KindProps) {
  const { t } = useText();
  const label = labelOf(t, kind.kind);
  return (
    <tr>
      <th scope="row">{label}</th>
      {offered.map((channel) => {
        const stays = channel.id === "bell" && kind.always;
        return (
          <td key={channel.id}>
            <Checkbox
              aria-label={`${label}: ${t(channel.label)}`}
              title={stays ? t("notifications.preferences.always") : undefined}
              checked={kind.channels[channel.id] ?? false}
              disabled={stays}
              onChange={(event) => onChoose({ ...kind.channels, [channel.id]: event.currentTarget.checked })}
            />
          </td>
        );
      })}
    </tr>
  );
}
