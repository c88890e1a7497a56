/** Equal to the version in package.json (a test compares them). */
export const VERSION = '0.1.0';

/** `quern 0.1.0` */
export function versionText(): string {
  return `quern ${VERSION}`;
}
