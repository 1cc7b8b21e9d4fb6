/** Tokens per call in a row of the library: 96 × 24, whole pixels, boundaries as rules. */
export function Spark({ values, cuts }: { values: readonly number[]; cuts: readonly number[] }) {
  if (values.length === 0) return <span className="spark" />;
  const top = Math.max(...values, 1);
  const width = 96;
  const x = (i: number) => Math.round((i / values.length) * width);
  return (
    <svg
      className="spark"
      width={width}
      height={24}
      role="img"
      aria-label={`Tokens per call, at most ${top}`}
    >
      {values.map((v, i) => {
        const height = Math.max(1, Math.round((v / top) * 22));
        return (
          <rect
            key={x(i)}
            x={x(i)}
            y={24 - height}
            width={Math.max(1, x(i + 1) - x(i))}
            height={height}
          />
        );
      })}
      {cuts.map((c) => (
        <rect key={`cut-${c}`} className="cut-rule" x={x(c)} y={0} width={1} height={24} />
      ))}
    </svg>
  );
}
