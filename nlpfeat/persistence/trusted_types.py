"""The classes that a file may be made of: no other is made again unless a user trusts it."""

#: Every class of nlpfeat that a saved estimator can be made of. A test compares the list with what
#: is found in files.
OWN_TYPES = (
    "nlpfeat.attention.normalizers.capsule.Capsule",
    "nlpfeat.attention.normalizers.dual.Dual",
    "nlpfeat.attention.normalizers.entmax15.Entmax15",
    "nlpfeat.attention.normalizers.sinkhorn.Sinkhorn",
    "nlpfeat.attention.normalizers.softmax.Softmax",
    "nlpfeat.attention.normalizers.sparsemax.Sparsemax",
    "nlpfeat.attention.positions.absolute.AbsolutePosition",
    "nlpfeat.attention.positions.alibi.AlibiPosition",
    "nlpfeat.attention.positions.none.NoPosition",
    "nlpfeat.attention.positions.rope.RopePosition",
    "nlpfeat.attention.positions.shaw.ShawPosition",
    "nlpfeat.attention.positions.t5.T5Position",
    "nlpfeat.attention.scores.additive.AdditiveScore",
    "nlpfeat.attention.scores.bilinear.BilinearScore",
    "nlpfeat.attention.scores.cosine.CosineScore",
    "nlpfeat.attention.scores.dot.DotScore",
    "nlpfeat.attention.scores.multidim.MultiDimScore",
    "nlpfeat.classifiers._learned_priors.LearnedPrior",
    "nlpfeat.classifiers.attention.AttentionClassifier",
    "nlpfeat.classifiers.bi_lstm.BiLstmBaseline",
    "nlpfeat.classifiers.nbsvm.NBSVMClassifier",
    "nlpfeat.classifiers.text_cnn.TextCnnBaseline",
    "nlpfeat.counts.documents.TermSpace",
    "nlpfeat.counts.feature_space.FeatureFrequencies",
    "nlpfeat.counts.ngrams.NgramSpace",
    "nlpfeat.counts.positions.PositionSettings",
    "nlpfeat.counts.positions.PositionSpace",
    "nlpfeat.features.bag_of_words.BagOfWordsVectorizer",
    "nlpfeat.features.lda.LdaTransformer",
    "nlpfeat.features.naive_bayes.NaiveBayesRatioTransformer",
    "nlpfeat.features.ngrams.NgramVectorizer",
    "nlpfeat.features.pmi_embedding.PmiEmbedding",
    "nlpfeat.features.pmi_vectorizer.PmiVectorizer",
    "nlpfeat.features.positional.PositionalBagOfWordsVectorizer",
    "nlpfeat.features.segmenting.SegmentTransformer",
    "nlpfeat.features.surprisal.SurprisalTransformer",
    "nlpfeat.features.tfidf.TfidfVectorizer",
    "nlpfeat.priors.embedding.EmbeddingPrior",
    "nlpfeat.priors.embedding.FittedEmbeddingPrior",
    "nlpfeat.priors.expert.ExpertPrior",
    "nlpfeat.priors.expert.FittedExpertPrior",
    "nlpfeat.priors.key.FittedKeyPrior",
    "nlpfeat.priors.key.KeyPrior",
    "nlpfeat.priors.pmi.FittedLowRankPmiPrior",
    "nlpfeat.priors.pmi.FittedPmiPrior",
    "nlpfeat.priors.pmi.PmiPrior",
    "nlpfeat.priors.topic.FittedTopicPrior",
    "nlpfeat.priors.topic.TopicPrior",
    "nlpfeat.priors.wide.FittedWidePrior",
    "nlpfeat.priors.wide.WidePrior",
    "nlpfeat.text.segmenters.jieba.JiebaSegmenter",
    "nlpfeat.text.segmenters.simple.CharSegmenter",
    "nlpfeat.text.segmenters.simple.WhitespaceSegmenter",
    "nlpfeat.text.vocabulary.Vocabulary",
    "nlpfeat.vectors.word_vectors.WordVectors",
)

#: What parameters and learned attributes are made of, and skops asks about.
PLAIN_TYPES = (
    "builtins.frozenset", "numpy.dtype", "pathlib.PosixPath", "pathlib.WindowsPath",
    "pathlib._local.PosixPath", "pathlib._local.WindowsPath",  # where Python 3.13 has them
    "scipy.sparse._csc.csc_array", "scipy.sparse._csr.csr_array",
)  # fmt: skip

#: What scikit-learn's searches, selections and calibrations hold beside estimators.
SKLEARN_HELPERS = (
    "sklearn.calibration._CalibratedClassifier",
    "sklearn.calibration._SigmoidCalibration",
    "sklearn.feature_selection._univariate_selection.chi2",
    "sklearn.feature_selection._univariate_selection.f_classif",
    "sklearn.metrics._classification.accuracy_score",
    "sklearn.metrics._classification.balanced_accuracy_score",
    "sklearn.metrics._classification.f1_score",
    "sklearn.metrics._classification.log_loss",
    "sklearn.metrics._classification.precision_score",
    "sklearn.metrics._classification.recall_score",
    "sklearn.metrics._ranking.roc_auc_score",
    "sklearn.metrics._scorer._PassthroughScorer",
    "sklearn.metrics._scorer._Scorer",
    "sklearn.model_selection._split.KFold",
    "sklearn.model_selection._split.StratifiedKFold",
)

TRUSTED = (*OWN_TYPES, *PLAIN_TYPES, *SKLEARN_HELPERS)
