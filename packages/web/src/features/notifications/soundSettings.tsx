import { useState } from "react";
import { Slider, Switch } from "@mantine/core";
import { soundPreference } from "@rollcall/server/contract/notifications";
import { usePreference } from "#core/accountPreferences.ts";
import { useText } from "#core/i18n.ts";
import { ProblemNote } from "#ui/states.tsx";
import { ring } from "./sound.ts";
import classes from "./notifications.module.css";

/** Volume and mute of the sound on all devices; a change is played at once. */
export function SoundSettings() {
  const { t } = useText();
  const { value, known, set } = usePreference(soundPreference);
  const [dragged, setDragged] = useState<number | null>(null);
  const [error, setError] = useState<unknown>(null);
  const choose = (change: Partial<typeof value>) => {
    const next = { ...value, ...change };
    setDragged(null);
    setError(null);
    ring(next);
    set(next).catch(setError);
  };
  return (
    <fieldset className={classes["sound"]} disabled={!known}>
      <legend>{t("notifications.sound.title")}</legend>
      <Switch
        label={t("notifications.sound.on")}
        checked={!value.muted}
        onChange={(event) => choose({ muted: !event.currentTarget.checked })}
      />
      <span id="notification-volume">{t("notifications.sound.volume", { percent: dragged ?? value.volume })}</span>
      <Slider
        thumbProps={{ "aria-labelledby": "notification-volume" }}
        thumbLabel={t("notifications.sound.name")}
        label={null}
        step={5}
        disabled={!known || value.muted}
        value={dragged ?? value.volume}
        onChange={setDragged}
        onChangeEnd={(volume) => choose({ volume })}
      />
      {error !== null && <ProblemNote error={error} />}
    </fieldset>
  );
}
