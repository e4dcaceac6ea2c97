/** Frequencies of letters in texts of the languages that each encoding is used for. */

/** Letters of a language, with the log-likelihood of the language among those of its encoding. */
export interface LanguageLetters {
  /** Log-likelihood of each letter beyond ASCII, in lower case. */
  readonly letters: ReadonlyMap<string, number>;
  /** Log-likelihood added once: a language with few tables needs more evidence. */
  readonly prior: number;
}

export interface EncodingLetters {
  readonly encoding: string;
  readonly languages: readonly LanguageLetters[];
  /** Log-likelihood added for a letter beyond ASCII after another such letter; `afterNone`: after no letter. */
  readonly afterOther: number;
  readonly afterNone: number;
}

/** Letters of Russian by frequency, per 10,000 (Lyashevskaya & Sharov 2009, rounded); then those of Ukrainian and Belarusian. */
const RUSSIAN: LanguageLetters = {
  letters: new Map(
    Array.from('оеаинтсрвлкмдпуяыьгзбчйхжшюцщэфъёієїґ').map((letter, i) => [
      letter,
      Math.log(
        ([
          1097, 845, 801, 735, 670, 626, 547, 473, 454, 440, 349, 321, 298, 281, 262, 201, 190, 174, 170, 165,
          159, 144, 121, 97, 94, 73, 64, 48, 36, 32, 26, 4, 4, 2, 2, 2, 2,
        ][i] ?? 2) / 10_000,
      ),
    ]),
  ),
  prior: 0,
};

/** A language by its letters, the most frequent first. Frequencies fall as 1/(rank + 2). */
function language(letters: string, prior: number = 0): LanguageLetters {
  const list = letters.split(' ').flatMap((part) => (part.length > 2 ? Array.from(part) : [part]));
  const total = list.reduce((sum, _, i) => sum + 1 / (i + 2), 0);
  return { letters: new Map(list.map((letter, i) => [letter, Math.log(1 / (i + 2) / total)])), prior };
}

const CYRILLIC = { languages: [RUSSIAN], afterOther: 0, afterNone: 0 };
const LATIN = { afterOther: -4, afterNone: -1.5 };
/** For languages whose words often begin with letters beyond ASCII, and have several in a row. */
const RICH_LATIN = { afterOther: -0.5, afterNone: -0.5 };

export const ENCODING_LETTERS: readonly EncodingLetters[] = [
  { encoding: 'windows-1251', ...CYRILLIC },
  { encoding: 'koi8-r', ...CYRILLIC },
  { encoding: 'ibm866', ...CYRILLIC },
  {
    encoding: 'windows-1252',
    ...LATIN,
    languages: [
      language('üäöß'),
      language('éèàêçôâîûùëïœ'),
      language('óíáéñúü'),
      language('ãçáéíóõêâúàô'),
      language('àèòùìé'),
      language('äöåé'),
      language('øåæé'),
      language('ëéïèö'),
      language('áíóéðþöæúý', -3),
    ],
  },
  {
    encoding: 'windows-1250',
    ...RICH_LATIN,
    languages: [
      language('łóążęśćńź'),
      language('íáěéřščžýůúňťďó'),
      language('áíéčšžýúťľôňäóďĺŕ'),
      language('áéöóőüíúű'),
      language('ăîâşţ'),
      language('čšžćđ'),
    ],
  },
  {
    encoding: 'windows-1258',
    ...RICH_LATIN,
    // Tones are characters of their own, after their letters.
    languages: [language('\u0300 \u0323 \u0301 đ ô ê \u0309 ư ơ â ă \u0303 à á ã é è ó ò í ì ú ù ý', -3)],
  },
  { encoding: 'windows-1254', ...RICH_LATIN, languages: [language('ı ü ş ö ç ğ i\u0307')] },
  {
    encoding: 'windows-1257',
    ...RICH_LATIN,
    languages: [language('ėšįžųūąčę', -1), language('āīēšūņžļģķč', -1)],
  },
  {
    encoding: 'windows-1253',
    languages: [language('αοιετσνηυρπκμλςωγδθφχβάόέίήύώξζψ')],
    afterOther: 0,
    afterNone: 0,
  },
  {
    encoding: 'windows-1255',
    languages: [language('יוהלארמתבשנםדקעחפגכצטזסךןףץ')],
    afterOther: 0,
    afterNone: 0,
  },
  {
    encoding: 'windows-1256',
    languages: [language('اليمونترعبدهسةفكقحجشصطخذضزثظغىئءؤأإآ')],
    afterOther: 0,
    afterNone: 0,
  },
  {
    encoding: 'windows-874',
    languages: [
      language(
        'านรอก\u0e48\u0e49เ\u0e31งมยลว\u0e34\u0e35ดทส\u0e38ตะปบคหแจพช\u0e37\u0e47ขใ\u0e33\u0e4cไ\u0e39โผภธศ\u0e36ถซษฉฟณญฐ',
      ),
    ],
    afterOther: 0,
    afterNone: 0,
  },
];

/** An encoding of two bytes per character: its frequent characters, and the further ones in use by code points. */
export interface WideEncoding {
  readonly encoding: string;
  readonly frequent: ReadonlySet<string>;
  /** Whether a character that is not frequent is in common use, by its first byte. */
  readonly isUsual: (lead: number) => boolean;
}

/** Characters of words for fleets, places and headers, and the most frequent characters of texts. */
const SIMPLIFIED =
  '的一是不了在人有我他这中大来上个国到说们为子和你地出道也时年得就那要下以生会自着去之过家学对可里后小么心多天而能好都然没日于起还发成事只作当想看文无开手十用主行方又如前所本见经头面公同三已老从动两长知民样现分将外但身些与高意进把法此实回二理美点月明其种声全工己话儿者向情部正名定女问力机给等几很业最间新什打便位因重被走电四第门相次东政海口使教西再平真听世气信北少关并内加化由却代军产入先山五太水万市眼体别处总才场师书比住员九笑性通目华报立马命张活难神数件安表原车白应路期叫死常提感金何更反合放做系计或司利受光王果亲界及今京务制解各任至清物台象记边共风战干接它许八特觉望直服毛林题建南度统色字请交爱让认算论百吃义科怎元社术结六功指思非流每青管夫连远资队跟带花快条院变联言权往展该领传近留红治决周保达办运武半候七必城父强步完革深区即求品士转量空甚众技轻程告江语英基派满式李息写呢识极令黄德收脸钱党倒未持取设始版双历越史商千片容研像找友孩站广改议形委早房音火际则首单据导影失拿网香似斯专石若兵弟谁校读志飞观争究包组造落视济喜离虽坏兴切格院创渝冀豫辽湘皖鲁苏浙赣鄂桂甘晋蒙陕吉闽贵粤藏川宁琼沪津云黑仓库称速停超里程油发纬牌号码区县镇村街巷楼层厂店港湾桥高速货物流配送停车场司机油站点围栏半径圆形';
const TRADITIONAL =
  '的一是不了在人有我他這中大來上個國到說們為子和你地出道也時年得就那要下以生會自著去之過家學對可里後小麼心多天而能好都然沒日於起還發成事只作當想看文無開手十用主行方又如前所本見經頭面公同三已老從動兩長知民樣現分將外但身些與高意進把法此實回二理美點月明其種聲全工己話者向情部正名定女問力機給等幾很業最間新打便位因重被走電四第門相次東政海口使教西再平真聽世氣信北少關並內加化由卻代軍產入先山五太水萬市眼體別處總才場師書比住員九性通目華報立馬命張活難神數件安表原車白應路期常提金何更反合放系計或司利受光王果親界及今京務制解各任至清物台灣象記邊共風接許特覺望直服林題建南度統色字請交愛讓認論百義科元社術結六指思非流每青管夫連遠資隊帶花快條院變聯言權往展該領傳近留紅治決周保達辦運半候七城強步完深區即求品士轉量空技輕程告江語英基派滿式識極令黃德收錢持取設始雙歷越史商千片容站廣改議形委早房音火際則首單據導影失網香專石校讀飛觀爭包組造落視濟離雖興切格創倉庫稱速停超里程油緯牌號碼縣鎮村街巷樓層廠店港橋貨送停車場高雄新竹桃園板橋九龍';
const KANJI =
  '日一国会人年大十二本中長出三同時政事自行社見月分議後前民生連五発間対上部東者党地合市業内相方四定今回新場金員九入選立開手米力学問高代明実円関決子動京全目表戦経通外最言氏現理調体化田当八六約主題下首意法不来作性的要用制治度務強気小七成期公野協取都和統以機平総加山思家話世受区領多県続進正安設保改数記院女初北午指権心界支第産結百派点教報済書府活原先共得解名交資予川向際査勝面委告軍文反元重近千考判認画海参売利組知案道信策集在件団別物側任引使求所次水半品昨論計死官増係感特情投示変打男基私各始島直両朝革価式確村提運終挙果西勢減台広容必応演電歳住争談能無再位置企真流格有疑口過局少放税検藤町常校料沢裁状工建語球営空職証土与急止送援供可役構木割聞身費付施切由説転食比難防補車優夫研収断井何南石足違消境神番規術護展態導鮮備宅害配副算視条幹独警宮究育席輸訪楽起万着乗店述残想線率病農州武声質念待試族象銀域助労例衛然早張映限親額監環験追審商葉義伝働形景落欧担好退準賀訴辺造英被株頭技低毎医復仕去姿味負閣韓渡失移差衆個門写評課末守若脳極種美岡影命含福蔵量望松非撃佐核観察整段横融型白深字答夜製票況音申様財港識注呼渉達倉庫名称緯経速度半径駅';
const HANGUL =
  '이다는에의가을를하고한지로서사도기은인대자시아나리라어수정해일제그있만보부장구전스주여상연원조성게국신공소안관동과산화경우비모생위면선거와무업세중내물지방트학미발영물호실행치분년유타회당개말반통명현오적계들진용단입간재건방양요르달드문외추근음남북서울차량번호속도위경명칭반경종료출고창본역천광강평포항마처품점심바크노더임복금목토월형운송파레니카터저태집배천개축교통합설체표된했며러프으린버디석강식존민즈감후했될';

export const WIDE_ENCODINGS: readonly WideEncoding[] = [
  // GB 2312 level 1: rows 16 to 55, ordered by sound.
  { encoding: 'gbk', frequent: new Set(SIMPLIFIED), isUsual: (lead) => lead >= 0xb0 && lead <= 0xd7 },
  // Big5 level 1.
  { encoding: 'big5', frequent: new Set(TRADITIONAL), isUsual: (lead) => lead >= 0xa4 && lead <= 0xc6 },
  // Kana, and JIS X 0208 level 1.
  {
    encoding: 'shift_jis',
    frequent: new Set(KANJI),
    isUsual: (lead) => lead === 0x82 || lead === 0x83 || (lead >= 0x88 && lead <= 0x98),
  },
  // KS X 1001: the syllables.
  { encoding: 'euc-kr', frequent: new Set(HANGUL), isUsual: (lead) => lead >= 0xb0 && lead <= 0xc8 },
];
