import type { FileAddress } from "@rollcall/server/contract/files";
import classes from "./files.module.css";

/** A small picture beside a text with the same meaning: hidden from screen readers. */
export function Thumbnail({ of, size = 20, round = false }: { of: FileAddress; size?: number; round?: boolean }) {
  return (
    <img
      className={classes["thumbnail"]}
      data-round={round}
      src={of.thumbnail}
      width={size}
      height={size}
      alt=""
      loading="lazy"
      decoding="async"
    />
  );
}
