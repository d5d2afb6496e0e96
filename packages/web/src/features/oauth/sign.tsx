import { lazy, Suspense, useState } from "react";
import { IconWorld } from "@tabler/icons-react";
import classes from "./oauth.module.css";

const NamedIcon = lazy(() => import("#ui/namedIcon.tsx"));

interface SignProps {
  readonly src: string | null;
  /** Icon of a set, where there is no picture. */
  readonly name?: string | null;
  readonly size?: number;
}

/** A picture of the same origin or an icon; a neutral symbol where there is none or it cannot be loaded. */
export function Sign({ src, name = null, size = 20 }: SignProps) {
  const [broken, setBroken] = useState<string | null>(null);
  const neutral = <IconWorld size={size} stroke={1.6} aria-hidden />;
  if (src === null || src === broken) {
    if (name === null) return neutral;
    return (
      <Suspense fallback={neutral}>
        <NamedIcon name={name} size={size} otherwise={neutral} />
      </Suspense>
    );
  }
  return <img className={classes["sign"]} src={src} width={size} height={size} alt="" onError={() => setBroken(src)} />;
}
