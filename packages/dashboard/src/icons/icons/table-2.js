import createLucideIcon from "../createLucideIcon.js";
const __iconData = {
	name: "table-2",
	size: 24,
	node: [
		["path", {
			d: "M3 9h18",
			key: "1pudct"
		}],
		["path", {
			d: "M9 3v18",
			key: "fh3hqa"
		}],
		["rect", {
			x: "3",
			y: "3",
			width: "18",
			height: "18",
			rx: "2",
			key: "h1oib"
		}]
	]
};
__iconData.node;
const Table2 = createLucideIcon(__iconData);
export { __iconData, Table2 as default };
