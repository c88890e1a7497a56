import manifest from '../../package.json' with { type: 'json' };

/** `quern 0.1.0` */
export function versionText(): string {
  return `quern ${manifest.version}`;
}

export const VERSION: string = manifest.version;
